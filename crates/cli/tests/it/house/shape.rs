//! Sizes and names of what ships, counted in its tokens. Each rule lists what exceeds it today; the lists only shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{root, rust_files};

enum Token {
    Word(String),
    Mark(char),
    Literal(String),
    Braced(Vec<Self>),
    Group(Vec<Self>),
}

use Token::{Braced, Group, Literal, Mark, Word};

struct File {
    crate_name: String,
    /// The module of the crate's root that the file belongs to.
    top: String,
    tokens: Vec<Token>,
}

/// Every file that ships, without its documentation and its tests.
static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let crates = root().join("crates");
    let paths = rust_files("src").into_iter();
    let files = paths.filter_map(|path| {
        let inside = path.strip_prefix(&crates).unwrap();
        let parts: Vec<&str> = inside.iter().filter_map(|part| part.to_str()).collect();
        let is_test = parts.iter().any(|part| ["tests", "tests.rs"].contains(part));
        (!is_test).then(|| File {
            crate_name: parts[0].to_owned(),
            top: parts[2].trim_end_matches(".rs").to_owned(),
            tokens: tokens(std::fs::read_to_string(&path).unwrap().parse().unwrap()),
        })
    });
    files.collect()
});

/// Leaves out `#[doc = …]` and items under `#[cfg(test)]`.
fn tokens(stream: TokenStream) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut stream = stream.into_iter();
    while let Some(tree) = stream.next() {
        match tree {
            TokenTree::Ident(name) => kept.push(Word(name.to_string())),
            TokenTree::Punct(mark) => kept.push(Mark(mark.as_char())),
            TokenTree::Literal(literal) => kept.push(Literal(literal.to_string())),
            TokenTree::Group(group) => match (group.delimiter(), tokens(group.stream())) {
                (Delimiter::Brace, inner) => kept.push(Braced(inner)),
                (Delimiter::Bracket, inner) if is_documentation(&inner) => drop(kept.pop()),
                (Delimiter::Bracket, inner) if is_for_tests(&inner) => {
                    kept.pop();
                    stream.find(is_end);
                }
                (_, inner) => kept.push(Group(inner)),
            },
        }
    }
    kept
}

fn is_documentation(attribute: &[Token]) -> bool {
    matches!(attribute, [Word(name), Mark('='), ..] if name == "doc")
}

fn is_for_tests(attribute: &[Token]) -> bool {
    let is_test = |condition: &[Token]| match condition {
        [Word(word)] => word == "test",
        [Word(all), Group(parts)] => all == "all" && matches!(&parts[..], [Word(word), ..] if word == "test"),
        _ => false,
    };
    matches!(attribute, [Word(cfg), Group(condition)] if cfg == "cfg" && is_test(condition))
}

/// Where an item ends.
fn is_end(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Punct(mark) => mark.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    }
}

/// Calls `visit` with all that follows each token on its level, on every level.
fn walk<'a>(tokens: &'a [Token], visit: &mut dyn FnMut(&'a [Token])) {
    for (at, token) in tokens.iter().enumerate() {
        visit(&tokens[at..]);
        if let Braced(inner) | Group(inner) = token {
            walk(inner, visit);
        }
    }
}

/// What stands in an item's braces, if it has any.
fn body(item: &[Token]) -> Option<&Vec<Token>> {
    item.iter().take_while(|token| !matches!(token, Mark(';'))).find_map(|token| match token {
        Braced(body) => Some(body),
        Word(_) | Mark(_) | Literal(_) | Group(_) => None,
    })
}

/// What each function of a body is followed by, from its name on.
fn functions(body: &[Token]) -> impl Iterator<Item = &[Token]> {
    (1..body.len())
        .filter(|&at| matches!(&body[at - 1..], [Word(word), Word(_), ..] if word == "fn"))
        .map(|at| &body[at..])
}

/// Single colons outside of angle brackets.
fn fields(body: &[Token]) -> usize {
    let mut depth = 0;
    let mut count = 0;
    for window in body.windows(3) {
        match window {
            [_, Mark('<'), _] => depth += 1,
            [Word(_) | Mark('>' | ',') | Group(_), Mark('>'), _] => depth -= 1,
            [Word(_), Mark(':'), Word(_) | Mark('&' | '\'' | '<') | Group(_)] if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

/// The type of an `impl Type { … }`.
fn implemented(item: &[Token]) -> Option<&str> {
    let mut depth = 0;
    let mut name = None;
    for token in item {
        match token {
            Mark('<') => depth += 1,
            Mark('>') => depth -= 1,
            Word(word) if word == "for" => return None,
            Word(word) if depth == 0 && name.is_none() => name = Some(word.as_str()),
            Braced(_) => return name,
            Word(_) | Mark(_) | Literal(_) | Group(_) => {}
        }
    }
    None
}

/// What `visit` finds under each `crate::Name`; several findings are joined.
fn count(
    join: fn(usize, usize) -> usize,
    visit: impl Fn(&[Token]) -> Option<(&str, usize)>,
) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for file in FILES.iter() {
        walk(&file.tokens, &mut |tokens| {
            if let Some((name, more)) = visit(tokens) {
                let count = counts.entry(format!("{}::{name}", file.crate_name)).or_default();
                *count = join(*count, more);
            }
        });
    }
    counts
}

fn check(limit: usize, counts: BTreeMap<String, usize>, exceptions: &[(&str, usize)]) {
    let allowed =
        |name: &str| exceptions.iter().find(|(known, _)| *known == name).map_or(limit, |known| known.1);
    let beyond: Vec<(String, usize)> =
        counts.into_iter().filter(|(name, count)| *count > allowed(name)).collect();
    assert_eq!(beyond, [], "more than {limit}, and more than today's exceptions");
}

#[test]
fn a_type_name_occurs_once_in_a_crate() {
    const ITEMS: [&str; 3] = ["struct", "enum", "trait"];
    let counts = count(usize::saturating_add, |tokens| match tokens {
        [Word(item), Word(name), ..] if ITEMS.contains(&item.as_str()) && name != "Error" => Some((name, 1)),
        _ => None,
    });
    let exceptions = include_str!("type_names.txt").lines().map(|line| line.split_once(' ').unwrap());
    let exceptions: Vec<(&str, usize)> =
        exceptions.map(|(name, count)| (name, count.parse().unwrap())).collect();
    check(1, counts, &exceptions);
}

/// But for the settings, each a field, and for what goes over the wire as one flat object.
#[test]
fn structs_are_narrow() {
    let mut counts = count(usize::max, |tokens| match tokens {
        [Word(item), Word(name), ..] if item == "struct" => Some((name, fields(body(tokens)?))),
        _ => None,
    });
    counts.retain(|name, _| !name.starts_with("operations::") && !name.starts_with("settings::"));
    let wide = [
        ("hosts::Host", 17),
        ("ranking::FactRecord", 24),
        ("ranking::FactRequest", 17),
        ("ranking::Plan", 18),
    ];
    check(16, counts, &wide);
}

#[test]
fn traits_are_small() {
    let counts = count(usize::max, |tokens| match tokens {
        [Word(item), Word(name), ..] if item == "trait" => Some((name, functions(body(tokens)?).count())),
        _ => None,
    });
    check(18, counts, &[]);
}

/// With one, a backend could silently skip a method.
#[test]
fn traits_have_no_default_bodies() {
    let counts = count(usize::max, |tokens| match tokens {
        [Word(item), Word(name), ..] if item == "trait" => {
            Some((name, functions(body(tokens)?).filter(|function| body(function).is_some()).count()))
        }
        _ => None,
    });
    check(0, counts, &[]);
}

#[test]
fn no_type_does_everything() {
    let counts = count(usize::saturating_add, |tokens| match tokens {
        [Word(item), rest @ ..] if item == "impl" => {
            Some((implemented(rest)?, functions(body(rest)?).count()))
        }
        _ => None,
    });
    check(60, counts, &[]);
}

/// A caller over HTTP has no command line: what to do is a hint, and each front end spells it. An operation alone has
/// examples of its command, and an answer for the terminal.
#[test]
fn libraries_name_no_flag_of_the_command_line() {
    let mut counts = BTreeMap::new();
    for file in
        FILES.iter().filter(|file| !["cli", "evals", "operations"].contains(&file.crate_name.as_str()))
    {
        let count = counts.entry(format!("{}::{}", file.crate_name, file.top)).or_default();
        walk(&file.tokens, &mut |tokens| {
            if let [Literal(text), ..] = tokens {
                *count += usize::from(names_flag(text));
            }
        });
    }
    check(0, counts, &[]);
}

/// A text that is nothing but a flag is an argument for another program.
fn names_flag(literal: &str) -> bool {
    let is_flag = |word: &str| {
        word.strip_prefix("--").is_some_and(|flag| flag.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let words: Vec<&str> = literal.trim_matches('"').split([' ', '`', '(', '/']).collect();
    words.len() > 1 && words.into_iter().any(is_flag)
}

#[test]
fn modules_make_no_cycle() {
    let mut graph: Graph = BTreeMap::new();
    for file in FILES.iter().filter(|file| !["lib", "main"].contains(&file.top.as_str())) {
        let name = |top: &str| format!("{}::{top}", file.crate_name);
        let uses = graph.entry(name(&file.top)).or_default();
        walk(&file.tokens, &mut |tokens| uses.extend(modules_of(tokens).into_iter().map(name)));
        uses.remove(&name(&file.top));
    }
    // What uses nothing that is left, or is used by nothing that is left, is in no cycle.
    while let Some(free) = graph.keys().find(|name| is_free(name, &graph)).cloned() {
        graph.remove(&free);
    }
    let mut counts = BTreeMap::new();
    for name in graph.keys() {
        *counts.entry(name.split("::").next().unwrap().to_owned()).or_default() += 1;
    }
    check(0, counts, &[("server", 3)]);
}

type Graph = BTreeMap<String, BTreeSet<String>>;

fn is_free(name: &str, graph: &Graph) -> bool {
    !graph[name].iter().any(|used| graph.contains_key(used))
        || !graph.values().any(|uses| uses.contains(name))
}

/// The names behind a `crate::`, one or in braces.
fn modules_of(tokens: &[Token]) -> Vec<&str> {
    match tokens {
        [Word(word), Mark(':'), Mark(':'), Word(top), ..] if word == "crate" => vec![top],
        [Word(word), Mark(':'), Mark(':'), Braced(list), ..] if word == "crate" => {
            let paths = list.split(|token| matches!(token, Mark(',')));
            paths
                .filter_map(|path| if let [Word(top), ..] = path { Some(top.as_str()) } else { None })
                .collect()
        }
        _ => Vec::new(),
    }
}
