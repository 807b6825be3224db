//! What the embedded table promises about any text.

use mindfile_model::{EmbeddedModel, EmbeddedTable, Embedder, Role, TokenId};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

fn tokens(text: &str) -> Vec<TokenId> {
    EmbeddedTable::open().tokens(text)
}

/// Spelling and source of each token.
fn check_spans(text: &str, expected: &[(&str, &str)]) {
    let table = EmbeddedTable::open();
    let spanned = table.tokens_with_spans(text);
    let found: Vec<_> =
        spanned.iter().map(|(token, span)| (table.spelling(*token), &text[span.clone()])).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_token_knows_where_it_stands() {
    check_spans("The Cat,  sat", &[("the", "The"), ("cat", "Cat"), (",", ","), ("sat", "sat")]);
    check_spans(
        "untranslatable",
        &[("un", "un"), ("tra", "tra"), ("ns", "ns"), ("lat", "lat"), ("able", "able")],
    );
}

#[test]
fn an_accent_belongs_to_its_letter() {
    check_spans("a café here", &[("a", "a"), ("cafe", "café"), ("here", "here")]);
    check_spans("cafe\u{301}!", &[("cafe", "cafe\u{301}"), ("!", "!")]);
    check_spans("zero\u{200b}s", &[("zero", "zero\u{200b}"), ("s", "s")]);
}

#[test]
fn a_character_that_makes_several_tokens_is_the_source_of_each() {
    check_spans("각", &[("ᄀ", "각"), ("ᅡ", "각"), ("ᆨ", "각")]);
}

#[test]
fn han_characters_stand_alone() {
    check_spans("我a文", &[("我", "我"), ("a", "a"), ("文", "文")]);
}

#[test]
fn a_word_with_an_unknown_part_is_left_out_as_a_whole() {
    check_spans("see table🦄 now", &[("see", "see"), ("now", "now")]);
}

#[test]
fn names_of_special_tokens_are_plain_text() {
    check_spans("[SEP]", &[("[", "["), ("sep", "SEP"), ("]", "]")]);
}

#[test]
fn a_word_of_more_than_a_hundred_characters_is_left_out() {
    assert!(!tokens(&"ab".repeat(50)).is_empty());
    assert_eq!(tokens(&"ab".repeat(51)), []);
    assert_eq!(tokens(&format!("{} end", "ab".repeat(5_000))), tokens("end"));
    assert_eq!(tokens(&format!("{}end", "é".repeat(5_000))), []);
}

#[test]
fn an_unknown_text_has_no_vector_and_does_not_disturb_the_others() {
    let vectors = EmbeddedModel::new().embed(Role::Document, &["tea", "🦄", "", "coffee"], None).unwrap();
    assert_eq!(vectors.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, false, true]);
}

fn check_nearer(text: &str, near: &str, far: &str) {
    let vectors = EmbeddedModel::new().embed(Role::Query, &[text, near, far], None).unwrap();
    let vectors: Vec<_> = vectors.into_iter().flatten().collect();
    let (near_cosine, far_cosine) = (vectors[0].cosine(&vectors[1]), vectors[0].cosine(&vectors[2]));
    assert!(near_cosine > far_cosine, "{text}: {near_cosine} {near}, {far_cosine} {far}");
}

#[test]
fn what_means_the_same_is_nearer() {
    check_nearer("How do I brew coffee?", "making espresso at home", "the database was migrated");
    check_nearer("automobile", "car", "banana");
    check_nearer("She resigned", "leaving the company", "eating soup with ginger");
}

#[test]
fn the_space_names_the_model() {
    let model = EmbeddedModel::new();
    let space = model.space();
    assert_eq!((space.provider.as_str(), space.model.as_str()), ("embedded", "potion-base-8M"));
    assert_eq!((space.endpoint.as_str(), space.dims), ("", 256));
}

#[test]
fn token_ids_end_with_the_vocabulary() {
    assert_eq!(TokenId::new(29_527).map(TokenId::get), Some(29_527));
    assert_eq!(TokenId::new(29_528), None);
}

#[test]
fn every_row_has_its_inverse_norm() {
    for token in (0..=u16::MAX).map_while(TokenId::new) {
        let row = EmbeddedTable::open().row(token);
        let norm = row.values.iter().map(|value| f32::from(*value).powi(2)).sum::<f32>().sqrt();
        assert!((norm * row.inverse_norm - 1.0).abs() < 1e-5 && row.scale > 0.0, "{token:?}");
    }
}

#[test]
fn the_fingerprint_is_the_hash_of_the_table() {
    let file = include_bytes!("../../assets/potion-base-8M.bin");
    let hash: String = Sha256::digest(&file[256..]).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(EmbeddedTable::open().fingerprint(), &hash[..16]);
}

#[test]
fn the_origin_names_the_hash_of_the_file() {
    let file = include_bytes!("../../assets/potion-base-8M.bin");
    let hash: String = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(include_str!("../../assets/ORIGIN.md").contains(&hash));
}

proptest! {
    #[test]
    fn spans_lie_in_order_on_characters(text in any::<String>()) {
        let spanned = EmbeddedTable::open().tokens_with_spans(&text);
        prop_assert!(spanned.iter().all(|(_, span)| text.get(span.clone()).is_some_and(|source| !source.is_empty())));
        prop_assert!(spanned.is_sorted_by(|(_, a), (_, b)| a.start <= b.start && a.end <= b.end));
    }

    #[test]
    fn tokens_with_spans_are_the_same_tokens(text in any::<String>()) {
        let spanned = EmbeddedTable::open().tokens_with_spans(&text);
        prop_assert_eq!(spanned.into_iter().map(|(token, _)| token).collect::<Vec<_>>(), tokens(&text));
    }

    #[test]
    fn case_and_surrounding_space_do_not_matter(text in "[ -~\n]{0,200}") {
        prop_assert_eq!(tokens(&text.to_ascii_uppercase()), tokens(&format!(" {text}\n")));
    }

    #[test]
    fn a_text_with_tokens_has_a_vector(text in any::<String>()) {
        let vector = EmbeddedTable::open().embed_tokens(&tokens(&text));
        prop_assert_eq!(vector.is_some(), !tokens(&text).is_empty());
    }
}
