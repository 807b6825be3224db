//! What a provider is asked for and what that costs, in words.

use mindfile::{Estimate, Spending};

use super::quantity::{count, number};

/// Before anything is asked.
pub(crate) fn text(estimate: &Estimate) -> String {
    let Estimate { provider, model, notes, chunks, cached, spent, cost, price } = estimate;
    let head = format!("{provider} {model}\n");
    if provider == "embedded" || provider == "none" {
        return format!(
            "{head}Nothing would be asked of anybody: vectors are made in the program, and cost nothing.\n"
        );
    }
    let mut text = format!(
        "{head}{}, {} without a vector, {} of them known\n{}\n",
        count(*notes, "note"),
        count(*chunks, "chunk"),
        number(*cached),
        asked(spent, *cost)
    );
    text.push_str(&match price {
        Some((price, Some(as_of))) => format!("At ${price} for a million tokens, as of {as_of}\n"),
        Some((price, None)) => format!("At ${price} for a million tokens, by remote.pricePerMillionTokens\n"),
        None if provider == "local" => "Vectors are made on this machine, and cost nothing.\n".to_owned(),
        None => "The price is not known; remote.pricePerMillionTokens says it\n".to_owned(),
    });
    text
}

/// `23 requests, 181,003 tokens, $0.0036`
pub(crate) fn asked(spent: &Spending, cost: Option<f64>) -> String {
    let tokens = number(usize::try_from(spent.tokens).unwrap_or(usize::MAX));
    let requests = count(usize::try_from(spent.requests).unwrap_or(usize::MAX), "request");
    let cost = cost.map_or_else(String::new, |cost| format!(", ${cost:.4}"));
    format!("{requests}, {tokens} tokens{cost}")
}
