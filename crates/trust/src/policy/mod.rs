//! Decides what may be stored and what may be shown.
//!
//! Rules are data from trusted files. Each text is judged before it is written, and covered before it is indexed, sent
//! or shown: `never-store` values are refused or removed; `masked` values stay in the person's own file and appear
//! nowhere else. Questions are covered in the same way, so that a question with the exact value finds what is masked.

mod clean;
mod cover;
mod detect;
mod explain;
mod judge;
mod mask;
mod own;
mod rules;

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use mindfile_disk::Error;
use mindfile_disk::secret_key::SecretKey;
use mindfile_note::hash::Digest;
use serde::{Deserialize, Serialize};

pub use detect::{DETECTORS, Detector, DetectorSpec};
pub use explain::PlacedFinding;
pub use mask::{has_mask, hides_something};
pub use rules::{Pattern, Rule, RuleTarget, Rules};
pub use rules::{is_classes, is_rules};

/// A text without what the built-in rules forbid to store, for messages that are printed before there is a memory.
pub fn stripped(text: &str) -> String {
    Policy::new(&Rules::default(), Path::new("")).strip(text).into_owned()
}

mindfile_note::word_enum! {
    /// What happens to a text that a rule finds; the stricter one is the greater.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Class {
        /// Nothing. A rule of one's own that allows keeps other rules off what it finds.
        Allowed = "allowed",
        /// It is stored in the person's own file, and shown, indexed and sent as a mask.
        Masked = "masked",
        /// It is refused, or taken out before anything is written.
        NeverStore = "never-store",
    }
}

impl Class {
    pub const WORDS: &'static [&'static str] = &["allowed", "masked", "never-store"];
}

/// A place in a text that a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub rule: String,
    pub class: Class,
    pub span: Range<usize>,
}

/// Why a text is not stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} is not stored: the policy's rule \"{rule}\" forbids it")]
pub struct NeverStore {
    pub what: String,
    pub rule: String,
}

/// The rules in force, ready to judge.
#[derive(Debug)]
pub struct Policy {
    rules: Rules,
    /// The class of each detector, in the table's order.
    classes: Vec<Class>,
    key: SecretKey,
    clean: clean::Clean,
}

impl Policy {
    /// The key of masks is the state directory's, and made when the first mask is.
    pub fn new(rules: &Rules, state_dir: &Path) -> Self {
        let classes = Detector::all().map(|detector| rules.class_of(detector)).collect();
        let clean = clean::Clean::default();
        Self { rules: rules.clone(), classes, key: SecretKey::of(state_dir), clean }
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    pub fn class_of(&self, detector: Detector) -> Class {
        self.classes[detector.index()]
    }

    /// Every finding that something happens to, in the order of the text, none inside another.
    pub fn judge(&self, text: &str) -> Vec<Finding> {
        judge::findings(self, text, Class::Masked)
    }

    /// Whether nothing is found in a text of which the first `old` bytes, whole lines, are known to hold nothing. `rest` is the
    /// end of that text: all of it, or from a line on that begins [`Self::reach`] before what is new, or earlier.
    pub fn is_clear_beyond(&self, rest: &str, old: usize) -> bool {
        judge::is_clear_beyond(self, rest, old)
    }

    /// How far before what is added to a text something may begin that it makes a finding; none where rules of one's own may
    /// reach any distance.
    pub fn reach(&self) -> Option<usize> {
        let any = self.rules.own.iter().any(|rule| matches!(rule.by, RuleTarget::Pattern(_)));
        (!any).then_some(detect::REACH)
    }

    /// Also what is allowed.
    pub fn judge_all(&self, text: &str) -> Vec<Finding> {
        judge::findings(self, text, Class::Allowed)
    }

    /// The text as it may be indexed, sent and shown. It has as many lines as before.
    pub fn cover<'a>(&self, text: &'a str) -> Cow<'a, str> {
        cover::cover(self, text, Class::Masked)
    }

    /// A question as it may be searched and sent: of what is masked only the word by which the same value is found.
    pub fn question<'a>(&self, text: &'a str) -> Cow<'a, str> {
        cover::question(self, text)
    }

    /// The text as it may be written where nobody can be asked: without what must not be stored.
    pub fn strip<'a>(&self, text: &'a str) -> Cow<'a, str> {
        cover::cover(self, text, Class::NeverStore)
    }

    /// An error that names the rule, if the text has something that must not be stored.
    pub fn admit(&self, what: &str, text: &str) -> Result<(), NeverStore> {
        match self.refused(text) {
            Some(rule) => Err(NeverStore { what: what.to_owned(), rule }),
            None => Ok(()),
        }
    }

    /// The rule that keeps a text from being written.
    pub fn refused(&self, text: &str) -> Option<String> {
        judge::findings(self, text, Class::NeverStore).into_iter().next().map(|finding| finding.rule)
    }

    /// A word for the rules in force and the key of the masks: what is indexed under another one is derived again.
    pub fn digest(&self) -> Result<String, Error> {
        /// The detectors and the form of masks; up by one when either changes what is found.
        const VERSION: u32 = 2;
        let key = self.key.fingerprint()?;
        let classes: Vec<&str> = self.classes.iter().map(|class| class.as_str()).collect();
        let said = format!("{VERSION} {:?} {} {}", key, classes.join(" "), self.rules.written());
        Ok(Digest::of(said.as_bytes()).to_string()[..16].to_owned())
    }

    /// A digest that only this state directory's key makes; none where there is no key to be had.
    pub fn digest_of(&self, text: &str) -> Option<[u8; 32]> {
        Some(self.key.key().ok()?.digest("audit", text.as_bytes()))
    }

    /// Makes the key of the masks, so that what is indexed from now on keeps its word.
    pub fn prepare(&self) -> Result<(), Error> {
        if self.masks() {
            self.key.key()?;
        }
        Ok(())
    }

    fn masks(&self) -> bool {
        self.classes.contains(&Class::Masked) || self.rules.own.iter().any(|rule| rule.class == Class::Masked)
    }
}
