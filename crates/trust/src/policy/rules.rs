//! Rules as they are written in the configuration.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use super::mask::{LONGEST_NAME, is_name_byte};
use super::{Class, Detector};

/// The most rules of one's own.
const MOST_RULES: usize = 200;
const LONGEST_PATTERN: usize = 1_000;
/// What a compiled pattern may take, and what matching it may.
const PATTERN_BYTES: usize = 1 << 20;
const FIELDS: [&str; 6] = ["name", "class", "pattern", "detector", "entity", "key"];

/// All that a configuration says about what may be stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    pub own: Vec<Rule>,
    /// Classes of built-in detectors that differ from the table.
    pub builtin: BTreeMap<Detector, Class>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Stands in masks and messages.
    pub name: String,
    pub class: Class,
    pub by: RuleTarget,
}

/// What a rule looks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleTarget {
    Pattern(Pattern),
    Detector(Detector),
    /// Facts about an entity, and lines that tag it.
    Entity(String),
    /// Facts with a key, or with any that begins so: `health.*`.
    Key(String),
}

/// A regular expression of the sort that takes time in proportion to the text.
#[derive(Debug, Clone)]
pub struct Pattern(Regex);

impl Pattern {
    pub fn new(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST_PATTERN {
            return Err(format!("longer than {LONGEST_PATTERN} bytes"));
        }
        let mut builder = RegexBuilder::new(text);
        let built = builder.size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES).build();
        built.map(Self).map_err(|error| error.to_string().lines().last().unwrap_or_default().to_owned())
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn regex(&self) -> &Regex {
        &self.0
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Pattern {}

impl Rules {
    /// Reads both keys of the configuration. What is wrong is said with its place in the list.
    pub fn read(own: &Value, builtin: &Value) -> Result<Self, (String, String)> {
        let mut rules = Self::default();
        for (at, value) in own.as_array().into_iter().flatten().enumerate() {
            let rule = rule(value).map_err(|(field, why)| (format!("[{at}]{field}"), why))?;
            if rules.own.iter().any(|other| other.name == rule.name) {
                return Err((format!("[{at}].name"), "a name that no other rule has".to_owned()));
            }
            rules.own.push(rule);
        }
        for (name, class) in builtin.as_object().into_iter().flatten() {
            if let (Some(detector), Some(class)) =
                (Detector::named(name), class.as_str().and_then(Class::parse))
            {
                rules.builtin.insert(detector, class);
            }
        }
        Ok(rules)
    }

    /// A rule of one's own about a detector comes before the table.
    pub(super) fn class_of(&self, detector: Detector) -> Class {
        let own = self.about(detector).map(|rule| rule.class);
        own.or_else(|| self.builtin.get(&detector).copied()).unwrap_or(detector.spec().class)
    }

    pub(super) fn name_of(&self, detector: Detector) -> &str {
        self.about(detector).map_or(detector.name(), |rule| &rule.name)
    }

    fn about(&self, detector: Detector) -> Option<&Rule> {
        self.own.iter().find(|rule| rule.by == RuleTarget::Detector(detector))
    }

    /// The rules in one line, for a digest.
    pub(super) fn written(&self) -> String {
        let rule = |rule: &Rule| format!("{} {} {:?}", rule.name, rule.class.as_str(), rule.by);
        self.own.iter().map(rule).collect::<Vec<_>>().join("\n")
    }
}

/// Whether a value has the form of a list of rules.
pub fn is_rules(value: &Value) -> bool {
    value.as_array().is_some_and(|rules| rules.len() <= MOST_RULES && rules.iter().all(is_rule))
}

fn is_rule(value: &Value) -> bool {
    let Some(fields) = value.as_object() else { return false };
    let texts = fields.values().all(|field| field.as_str().is_some_and(|text| !text.trim().is_empty()));
    let known = fields.keys().all(|key| FIELDS.contains(&key.as_str()));
    let sought = FIELDS[2..].iter().filter(|field| fields.contains_key(**field)).count();
    let class = fields.get("class").and_then(Value::as_str).and_then(Class::parse);
    texts
        && known
        && sought == 1
        && class.is_some()
        && fields.get("name").and_then(Value::as_str).is_some_and(is_name)
}

/// Whether a value gives classes to built-in detectors.
pub fn is_classes(value: &Value) -> bool {
    let is_class = |class: &Value| class.as_str().and_then(Class::parse).is_some();
    let known = |(name, class): (&String, &Value)| Detector::named(name).is_some() && is_class(class);
    value.as_object().is_some_and(|classes| classes.iter().all(known))
}

fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(is_name_byte)
}

fn rule(value: &Value) -> Result<Rule, (String, String)> {
    let none = Map::new();
    let fields = value.as_object().unwrap_or(&none);
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let by = if let Some(pattern) = text("pattern") {
        let pattern = Pattern::new(pattern);
        RuleTarget::Pattern(
            pattern.map_err(|why| (".pattern".to_owned(), format!("a regular expression ({why})")))?,
        )
    } else if let Some(name) = text("detector") {
        let wrong =
            || (".detector".to_owned(), "a built-in detector; `mindfile policy show` lists them".to_owned());
        RuleTarget::Detector(Detector::named(name).ok_or_else(wrong)?)
    } else if let Some(entity) = text("entity") {
        RuleTarget::Entity(entity.to_owned())
    } else {
        RuleTarget::Key(text("key").unwrap_or_default().to_owned())
    };
    let class = text("class").and_then(Class::parse).unwrap_or(Class::NeverStore);
    Ok(Rule { name: text("name").unwrap_or_default().to_owned(), class, by })
}
