//! Random numbers with valid check digits.

use super::values::{DIGITS, UPPER, run};
use crate::random::Random;

/// Tries check digits until one fits, so that the generator shares no code with the detector.
fn completed(start: &str, check: &dyn Fn(&[u32]) -> bool) -> Option<String> {
    (0..10).map(|last| format!("{start}{last}")).find(|whole| check(&digits(whole)))
}

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

fn until(mut make: impl FnMut() -> Option<String>) -> String {
    loop {
        if let Some(made) = make() {
            return made;
        }
    }
}

fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(digit, weight)| digit * weight).sum()
}

pub(super) fn card(random: &mut Random) -> String {
    let start = *random.pick(&["4", "51", "55", "2221", "6011", "65", "3530"]);
    let start = format!("{start}{}", run(random, DIGITS, 15 - start.len()));
    let luhn = |digits: &[u32]| {
        let double = |digit: u32| digit * 2 / 10 + digit * 2 % 10;
        let parts = digits.iter().rev().enumerate();
        parts.map(|(at, digit)| if at % 2 == 0 { *digit } else { double(*digit) }).sum::<u32>() % 10 == 0
    };
    completed(&start, &luhn).unwrap_or_default()
}

pub(super) fn iban(random: &mut Random) -> String {
    let (country, length) =
        *random.pick(&[("DE", 22), ("FR", 27), ("NL", 18), ("GB", 22), ("ES", 24), ("PL", 28)]);
    let bank =
        if country == "NL" || country == "GB" { run(random, UPPER, 4) } else { run(random, DIGITS, 4) };
    let account = format!("{bank}{}", run(random, DIGITS, length - 8));
    let rest = |text: String| {
        text.chars().fold(0_u32, |rest, c| {
            let value = c.to_digit(36).unwrap_or(0);
            (if value < 10 { 10 * rest } else { 100 * rest } + value) % 97
        })
    };
    format!("{country}{:02}{account}", 98 - rest(format!("{account}{country}00")))
}

fn dni_letter(number: usize) -> char {
    char::from(b"TRWAGMYFPDXBNJZSQVHLCKE"[number % 23])
}

pub(super) fn dni(random: &mut Random) -> String {
    let number = random.between(10_000_000, 99_999_999);
    format!("{number}{}", dni_letter(number))
}

pub(super) fn nie(random: &mut Random) -> String {
    let (letter, lead) = *random.pick(&[("X", 0), ("Y", 10_000_000), ("Z", 20_000_000)]);
    let number = random.between(1_000_000, 9_999_999);
    format!("{letter}{number}{}", dni_letter(lead + number))
}

pub(super) fn insee(random: &mut Random) -> String {
    let sex = random.between(1, 2);
    let year = random.between(10, 99);
    let month = random.between(1, 12);
    let start = format!(
        "{sex}{year}{month:02}{:02}{:03}{:03}",
        random.between(1, 95),
        random.between(1, 990),
        random.between(1, 999)
    );
    let number: u64 = start.parse().unwrap_or(0);
    format!("{start}{:02}", 97 - number % 97)
}

pub(super) fn codice_fiscale(random: &mut Random) -> String {
    const ODD: [usize; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let name = run(random, "BCDFGLMNPRSTVZ", 6);
    let month = run(random, "ABCDEHLMPRST", 1);
    let start = format!(
        "{name}{:02}{month}{:02}F{:03}",
        random.below(100),
        random.between(1, 31),
        random.between(100, 999)
    );
    let value = |c: char| c.to_digit(36).map_or(0, |v| if v > 9 { v as usize - 10 } else { v as usize });
    let sum: usize =
        start.chars().enumerate().map(|(at, c)| if at % 2 == 0 { ODD[value(c)] } else { value(c) }).sum();
    format!("{start}{}", char::from(b'A' + u8::try_from(sum % 26).unwrap_or(0)))
}

pub(super) fn bsn(random: &mut Random) -> String {
    let fits = |digits: &[u32]| {
        (weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2]) + 10 * digits[8]).is_multiple_of(11)
    };
    until(|| completed(&format!("{}{}", run(random, "123456789", 1), run(random, DIGITS, 7)), &fits))
}

pub(super) fn cpf(random: &mut Random) -> String {
    let check = |digits: &[u32], count: u32| {
        let weights: Vec<u32> = (2..=count + 1).rev().collect();
        match weighted(digits, &weights) % 11 {
            0 | 1 => 0,
            rest => 11 - rest,
        }
    };
    let mut all = digits(&format!("{}{}", run(random, "123456789", 1), run(random, DIGITS, 8)));
    all.push(check(&all[..9], 9));
    all.push(check(&all[..10], 10));
    all.iter().map(u32::to_string).collect()
}

pub(super) fn aadhaar(random: &mut Random) -> String {
    /// Multiplication in the group of a pentagon's symmetries, row by row.
    const PRODUCT: [&str; 10] = [
        "0123456789", "1234067895", "2340178956", "3401289567", "4012395678", "5987604321", "6598710432",
        "7659821043", "8765932104", "9876543210",
    ];
    const PERMUTED: [&str; 8] = [
        "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415",
        "7046913258",
    ];
    let at =
        |row: &str, column: u32| row.chars().nth(column as usize).and_then(|c| c.to_digit(10)).unwrap_or(0);
    let fits = |digits: &[u32]| {
        let check =
            digits.iter().rev().enumerate().fold(0, |check, (place, digit)| {
                at(PRODUCT[check as usize], at(PERMUTED[place % 8], *digit))
            });
        check == 0
    };
    completed(&format!("{}{}", run(random, "23456789", 1), run(random, DIGITS, 10)), &fits)
        .unwrap_or_default()
}

pub(super) fn steuer_id(random: &mut Random) -> String {
    let fits = |digits: &[u32]| {
        let product = digits[..10].iter().fold(10, |product, digit| {
            let sum = (digit + product) % 10;
            (if sum == 0 { 10 } else { sum }) * 2 % 11
        });
        (11 - product) % 10 == digits[10]
    };
    until(|| {
        // Nine different digits, and one of them again.
        let order = random.shuffled(&['1', '2', '3', '4', '5', '6', '7', '8', '9']);
        let mut start: String = order.iter().collect();
        start.insert(random.between(1, 9), *random.pick(&order));
        completed(&start, &fits)
    })
}

pub(super) fn pesel(random: &mut Random) -> String {
    let start = format!(
        "{:02}{:02}{:02}{}",
        random.below(100),
        random.between(1, 12),
        random.between(1, 28),
        run(random, DIGITS, 4)
    );
    completed(&start, &|digits| weighted(digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10))
        .unwrap_or_default()
}

pub(super) fn nhs(random: &mut Random) -> String {
    let fits = |digits: &[u32]| weighted(digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11);
    until(|| completed(&format!("9{}", run(random, DIGITS, 8)), &fits))
}

pub(super) fn ssn(random: &mut Random) -> String {
    format!("{:03}{:02}{:04}", random.between(1, 665), random.between(1, 99), random.between(1, 9_999))
}
