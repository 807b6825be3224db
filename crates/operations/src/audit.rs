//! Who did what, in a log that reveals tampering.

use std::str::FromStr;

use jiff::Timestamp;
use mindfile::{Error, audit};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::number;
use crate::text::table::{self, Side};
use crate::values::{HeadForm, WhenForm};

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowAudit {
    /// Only entries of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub since: Option<String>,
    /// How many of the last entries.
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "many")]
    pub limit: usize,
}

/// How many entries a program gets that does not say it.
fn many() -> usize {
    100
}

impl Operation for ShowAudit {
    const ROW: Row = Row::new("audit", "Show who wrote what, and who saw what is sensitive")
        .typed(
            "audit show",
            "\
Examples:
  mindfile audit show --since 7d
  mindfile audit show --limit 500 --json",
        )
        .http(Http::get("/v1/audit"));
    type Answer = AuditEntries;

    fn run(self, caller: &Caller<'_>) -> Result<AuditEntries, Failure> {
        let since = caller.day(self.since.as_deref())?;
        let entries = audit::entries(caller.memory, caller.viewer, since, self.limit)?;
        Ok(AuditEntries(entries.into_iter().map(AuditEntry::new).collect()))
    }
}

/// The oldest first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct AuditEntries(Vec<AuditEntry>);

#[derive(Debug, Serialize, JsonSchema)]
struct AuditEntry {
    entry: u64,
    at: String,
    who: String,
    door: String,
    act: String,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(skip)]
    time: Timestamp,
}

impl AuditEntry {
    fn new(entry: audit::Entry) -> Self {
        let time = Timestamp::from_millisecond(entry.at).unwrap_or_default();
        Self {
            entry: entry.seq,
            at: format!("{time:.3}"),
            who: entry.who,
            door: entry.door,
            act: entry.act,
            what: entry.what,
            id: entry.id,
            digest: entry.digest,
            time,
        }
    }
}

impl Answer for AuditEntries {
    fn shown(&self, page: &Page<'_>) -> Shown {
        let zone = page.clock.zone();
        let row = |entry: &AuditEntry| {
            [
                entry.entry.to_string(),
                entry.time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
                entry.who.clone(),
                entry.door.clone(),
                entry.act.clone(),
                entry.what.clone(),
                entry.id.clone().unwrap_or_default(),
            ]
        };
        let rows: Vec<[String; 7]> = self.0.iter().map(row).collect();
        let mut sides = [Side::Left; 7];
        sides[0] = Side::Right;
        Shown::text(table::text(sides, &rows))
    }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerifyAudit {
    /// A head that was kept elsewhere, as an earlier check gave it.
    #[arg(long, value_name = "NUMBER:DIGEST")]
    #[schemars(with = "Option<HeadForm>")]
    pub anchor: Option<Anchor>,
}

/// How far a log went at some time.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct Anchor {
    entry: u64,
    digest: String,
}

impl FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once(':').and_then(|(entry, digest)| Some((entry.parse().ok()?, digest.trim())));
        match parts {
            Some((entry, digest)) if digest.len() == 64 => Ok(Self { entry, digest: digest.to_owned() }),
            _ => Err("write it as verify prints it, such as 12:9f2c…".to_owned()),
        }
    }
}

impl TryFrom<String> for Anchor {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl Operation for VerifyAudit {
    const ROW: Row = Row::new("verifyAudit", "Check that every entry of the audit log is as it was written")
        .typed(
            "audit verify",
            "\
Examples:
  mindfile audit verify
  mindfile audit verify --anchor 12:DIGEST    against a head that was kept elsewhere

It exits with 1 and names the first entry that is not as it was written.",
        )
        .http(Http::get("/v1/audit/verify"));
    type Answer = VerifiedAudit;

    fn run(self, caller: &Caller<'_>) -> Result<VerifiedAudit, Failure> {
        let log = caller.memory.audit_log();
        let anchor = self.anchor.as_ref().map(|anchor| (anchor.entry, anchor.digest.as_str()));
        let check = log.verify(anchor).map_err(Error::from)?;
        Ok(VerifiedAudit::new(check, log.public_key().map_err(Error::from)?))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifiedAudit {
    ok: bool,
    entries: u64,
    head: String,
    torn: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<BrokenEntry>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct BrokenEntry {
    entry: u64,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    why: String,
}

impl VerifiedAudit {
    fn new(check: audit::LogCheck, public_key: Option<String>) -> Self {
        let broken = check.broken.map(|broken| BrokenEntry {
            entry: broken.entry,
            file: broken.file,
            line: broken.line,
            why: broken.why,
        });
        Self {
            ok: broken.is_none(),
            entries: check.entries,
            head: format!("{}:{}", check.entries, check.head),
            torn: check.torn,
            public_key,
            broken,
        }
    }
}

impl Answer for VerifiedAudit {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let entries = number(usize::try_from(self.entries).unwrap_or(usize::MAX));
        let mut text = match &self.broken {
            None => format!("{entries} entries, each as it was written\n"),
            Some(BrokenEntry { entry, file, line, why }) => {
                let place = line.map_or_else(String::new, |line| format!(" ({file}:{line})"));
                format!(
                    "entry {entry} is broken{place}: {why}\n{entries} entries before it are as they were written\n"
                )
            }
        };
        if self.torn {
            text.push_str("the last line is a write that was cut off; nobody was told that it was done\n");
        }
        text.push_str(&format!("head {}\n", self.head));
        Shown { text: clean::text(&text).into_owned(), is_incomplete: !self.ok, ..Shown::default() }
    }
}
