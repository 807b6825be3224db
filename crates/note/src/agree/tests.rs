use super::{Difference, Statement, difference};

fn check(one: &str, other: &str, expected: Option<Difference>) {
    let (a, b) = (Statement::of(one), Statement::of(other));
    assert_eq!(difference(&a, &b), expected, "{one} / {other}");
    assert_eq!(difference(&b, &a), expected, "{other} / {one}");
    let frames = a.frames();
    let meet = b.frames().iter().any(|frame| frames.contains(frame));
    assert!(expected.is_none() || meet, "{one} / {other} share no frame");
}

const CERTAIN: Option<Difference> = Some(Difference::Certain);
const DOUBTFUL: Option<Difference> = Some(Difference::Doubtful);

#[test]
fn a_quantity_is_one_at_a_time() {
    check("The rate limit is 100 requests per minute", "Rate limit is 200 requests per minute", CERTAIN);
    check("The standup is at 9:30", "The standup is now at 10:00", CERTAIN);
    check("The server has 16 GB of memory", "The server has 32 GB of memory", CERTAIN);
    check("Port: 8080", "Port: 8081", CERTAIN);
    check("Die Miete ist 900 Euro", "Die Miete ist jetzt 950 Euro", CERTAIN);
    check("La limite est de 100 requêtes", "La limite est de 200 requêtes", CERTAIN);
}

#[test]
fn a_number_that_only_names_something_is_no_quantity() {
    check("Fixed ticket 123", "Fixed ticket 124", None);
    check("Room 3 is booked", "Room 4 is booked", None);
    check("The revenue in 2024 was 3 million", "The revenue in 2025 was 3 million", DOUBTFUL);
    check("Lena hat 2 Karten gekauft", "Lena hat 4 Karten gekauft", DOUBTFUL);
    check("A train is at 8:02", "A train is at 9:02", DOUBTFUL);
}

#[test]
fn one_thing_has_one_name_and_is_in_one_place() {
    check("The CEO of Acme is Anna", "The CEO of Acme is Bob Ross", CERTAIN);
    check("The office is in Berlin", "The office is in Munich", CERTAIN);
    check("Das Büro ist in Berlin", "Das Büro ist in München", CERTAIN);
    check("Le bureau est à Lyon", "Le bureau est à Paris", CERTAIN);
    check("Anna's brother is Peter", "Anna's brother is Carl", DOUBTFUL);
    check("Device A is a Synology NAS", "Device A is a fnOS NAS", DOUBTFUL);
    check("Sarah works at Acme", "Sarah works at Globex", DOUBTFUL);
}

#[test]
fn a_statement_and_its_negation_are_never_both_true() {
    check("Peter likes the new chairs", "Peter does not like the new chairs", CERTAIN);
    check("Peter likes the new chairs", "Peter doesn't like the new chairs", CERTAIN);
    check("Peter works at Acme", "Peter no longer works at Acme", CERTAIN);
    check("Peter isst Fleisch", "Peter isst kein Fleisch mehr", CERTAIN);
    check("Пётр любит чай", "Пётр не любит чай", CERTAIN);
    check("L'ufficio è aperto", "L'ufficio non è aperto", CERTAIN);
    check("Anna aime le café", "Anna n'aime pas le café", CERTAIN);
    check("Some servers are patched", "Some servers are not patched", DOUBTFUL);
    check("Restart when the queue is empty", "Restart when the queue is not empty", DOUBTFUL);
}

#[test]
fn what_adds_or_differs_in_more_than_one_part_is_apart() {
    check("Sarah speaks French", "Sarah speaks German", None);
    check("Sarah is in Berlin", "Sarah is also in Berlin on Mondays", None);
    check("The limit is 100 requests", "The quota is 200 requests", None);
    check("Peter is not in Berlin", "Peter is not in Munich", None);
    check("Rate limiting is strict", "Rate limiting is strict today", None);
}
