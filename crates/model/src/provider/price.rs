//! What embedding costs, for an estimate before and a sum after. Prices change: the table has a date, and
//! `remote.pricePerMillionTokens` overrules it.

/// When the prices were looked up.
pub const AS_OF: &str = "2026-11-15";

/// US dollars for a million tokens; batch jobs cost half where they exist.
const TABLE: &[(&str, f64)] = &[
    ("text-embedding-3-small", 0.02),
    ("text-embedding-3-large", 0.13),
    ("text-embedding-ada-002", 0.10),
    ("gemini-embedding-001", 0.15),
    ("voyage-4-large", 0.12),
    ("voyage-4-lite", 0.02),
    ("voyage-4", 0.06),
    ("voyage-3-large", 0.18),
    ("voyage-3.5-lite", 0.02),
    ("voyage-3.5", 0.06),
    ("mistral-embed", 0.10),
];

/// The price of a million tokens in US dollars, if the model is in the table.
pub fn per_million(model: &str) -> Option<f64> {
    TABLE.iter().find(|(name, _)| *name == model).map(|(_, price)| *price)
}
