//! The check digits of numbers that have them. Each takes digits (or capital letters and digits) without separators.

/// Payment cards: the sum over all digits, every second one doubled.
pub(super) fn luhn(digits: &[u8]) -> bool {
    let doubled = |digit: u8| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let of = |(at, byte): (usize, &u8)| {
        let digit = byte - b'0';
        u32::from(if at % 2 == 1 { doubled(digit) } else { digit })
    };
    digits.iter().rev().enumerate().map(of).sum::<u32>() % 10 == 0
}

/// The lengths that brands give their numbers, by how those begin.
pub(super) fn is_card_range(digits: &[u8]) -> bool {
    let head = |count: usize| digits[..count].iter().fold(0_u32, |n, byte| 10 * n + u32::from(byte - b'0'));
    match digits.len() {
        14 => matches!(head(3), 300..=305 | 309) || matches!(head(2), 36 | 38 | 39),
        15 => matches!(head(2), 34 | 37),
        16 => {
            head(1) == 4
                || matches!(head(2), 51..=55 | 62 | 65)
                || matches!(head(4), 2221..=2720 | 6011 | 3528..=3589)
                || matches!(head(3), 644..=649)
        }
        19 => head(1) == 4 || head(2) == 62,
        _ => false,
    }
}

/// ISO 7064 mod 97-10 of an account number: the first four characters go to the end, letters count from 10.
pub(super) fn iban(account: &[u8]) -> bool {
    let Some(length) = iban_length(account) else { return false };
    let turned = account.iter().skip(4).chain(account.iter().take(4));
    let rest = turned.fold(0_u32, |rest, byte| match byte {
        b'0'..=b'9' => (10 * rest + u32::from(byte - b'0')) % 97,
        letter => (100 * rest + u32::from(letter - b'A') + 10) % 97,
    });
    account.len() == length && rest == 1
}

/// How long account numbers of a country are.
pub(super) fn iban_length(account: &[u8]) -> Option<usize> {
    const LENGTHS: &[(usize, &str)] = &[
        (15, "NO"),
        (16, "BE"),
        (18, "DK FI FO GL NL SD"),
        (19, "MK SI"),
        (20, "AT BA EE KZ LT LU XK"),
        (21, "CH HR LI LV"),
        (22, "BG BH CR DE GB GE IE ME RS VA"),
        (23, "AE GI IL IQ OM SO TL"),
        (24, "AD CZ ES MD PK RO SA SE SK TN VG"),
        (25, "LY PT ST"),
        (26, "IS TR"),
        (27, "BI DJ FR GR IT MC MR SM"),
        (28, "AL AZ BY CY DO GT HU LB NI PL SV"),
        (29, "BR EG PS QA UA"),
        (30, "JO KW MU YE"),
        (31, "MT SC"),
        (32, "LC"),
        (33, "RU"),
    ];
    let country = std::str::from_utf8(account.get(..2)?).ok()?;
    LENGTHS.iter().find(|(_, countries)| countries.split(' ').any(|known| known == country)).map(|row| row.0)
}

/// Spain: eight digits, or X, Y or Z and seven, and a letter.
pub(super) fn dni(id: &[u8]) -> bool {
    const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let [first, middle @ .., letter] = id else { return false };
    let lead = match first {
        b'X' => b'0',
        b'Y' => b'1',
        b'Z' => b'2',
        digit => *digit,
    };
    if id.len() != 9 || !lead.is_ascii_digit() || !middle.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let number = middle.iter().fold(usize::from(lead - b'0'), |n, byte| 10 * n + usize::from(byte - b'0'));
    LETTERS[number % 23] == *letter
}

/// France: sex, year, month, place and order, and a key of two digits. Corsica's departments have a letter.
pub(super) fn insee(id: &[u8]) -> bool {
    if id.len() != 15 {
        return false;
    }
    let mut digits = id.to_vec();
    let less = match (digits[5], digits[6]) {
        (b'2', b'A') => 1_000_000,
        (b'2', b'B') => 2_000_000,
        _ => 0,
    };
    if less > 0 {
        digits[6] = b'0';
    }
    if !digits.iter().all(u8::is_ascii_digit) || !matches!(digits[0], b'1' | b'2' | b'3' | b'4' | b'7' | b'8')
    {
        return false;
    }
    let number = |part: &[u8]| part.iter().fold(0_u64, |n, byte| 10 * n + u64::from(byte - b'0'));
    let month = number(&digits[3..5]);
    let whole = number(&digits[..13]) - less;
    matches!(month, 1..=12 | 20..=42 | 50..=99) && number(&digits[13..]) == 97 - whole % 97
}

/// Italy: six letters, year, month, day, place and a letter that all others decide.
pub(super) fn codice_fiscale(id: &[u8]) -> bool {
    const ODD: [u8; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    const SHAPE: &[u8; 16] = b"AAAAAA99A99A999A";
    let is_shape = |byte: &u8, shape: &u8| match shape {
        b'A' => byte.is_ascii_uppercase(),
        // Where two people would have the same, letters stand for digits.
        _ => byte.is_ascii_digit() || b"LMNPQRSTUV".contains(byte),
    };
    if id.len() != 16 || !id.iter().zip(SHAPE).all(|(byte, shape)| is_shape(byte, shape)) {
        return false;
    }
    if !b"ABCDEHLMPRST".contains(&id[8]) {
        return false;
    }
    let value = |byte: u8| if byte.is_ascii_digit() { byte - b'0' } else { byte - b'A' };
    let sum: u32 = id[..15]
        .iter()
        .enumerate()
        .map(|(at, byte)| u32::from(if at % 2 == 0 { ODD[usize::from(value(*byte))] } else { value(*byte) }))
        .sum();
    sum % 26 == u32::from(id[15] - b'A')
}

/// The Netherlands: nine digits by weights 9 to 2 and -1.
pub(super) fn bsn(digits: &[u8]) -> bool {
    let [all @ .., last] = digits else { return false };
    let sum: i32 = weighted(all, &[9, 8, 7, 6, 5, 4, 3, 2]) - i32::from(last - b'0');
    digits.len() == 9 && sum > 0 && sum % 11 == 0
}

/// Brazil: two check digits, each by falling weights; not eleven times the same digit.
pub(super) fn cpf(digits: &[u8]) -> bool {
    if digits.len() != 11 || digits.iter().all(|digit| *digit == digits[0]) {
        return false;
    }
    let check = |count: usize| {
        let weights: Vec<i32> = (2..).take(count).collect::<Vec<_>>().into_iter().rev().collect();
        let rest = weighted(&digits[..count], &weights) * 10 % 11 % 10;
        rest == i32::from(digits[count] - b'0')
    };
    check(9) && check(10)
}

/// Germany: one digit of the first ten occurs twice or three times; ISO 7064 mod 11,10.
pub(super) fn steuer_id(digits: &[u8]) -> bool {
    if digits.len() != 11 || digits[0] == b'0' {
        return false;
    }
    let most = (b'0'..=b'9').map(|digit| digits[..10].iter().filter(|d| **d == digit).count()).max();
    let product = digits[..10].iter().fold(10_u32, |product, byte| {
        let sum = (u32::from(byte - b'0') + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    matches!(most, Some(2 | 3)) && (11 - product) % 10 == u32::from(digits[10] - b'0')
}

/// Poland: a date of birth and a sum by weights 1, 3, 7, 9.
pub(super) fn pesel(digits: &[u8]) -> bool {
    if digits.len() != 11 {
        return false;
    }
    let two = |at: usize| 10 * (digits[at] - b'0') + digits[at + 1] - b'0';
    let sum = weighted(&digits[..10], &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
    let is_date = matches!(two(2) % 20, 1..=12) && matches!(two(4), 1..=31);
    is_date && (10 - sum % 10) % 10 == i32::from(digits[10] - b'0')
}

/// The United Kingdom: ten digits by weights 10 to 2.
pub(super) fn nhs(digits: &[u8]) -> bool {
    let [all @ .., last] = digits else { return false };
    let rest = (11 - weighted(all, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 11;
    digits.len() == 10 && rest == i32::from(last - b'0')
}

/// India: twelve digits by Verhoeff's tables.
pub(super) fn aadhaar(digits: &[u8]) -> bool {
    const PERMUTED: [[u8; 10]; 8] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
        [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
        [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
        [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
        [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
        [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
        [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
    ];
    let check = digits
        .iter()
        .rev()
        .enumerate()
        .fold(0, |check, (at, byte)| dihedral(check, PERMUTED[at % 8][usize::from(byte - b'0')]));
    digits.len() == 12 && digits[0] > b'1' && check == 0
}

/// The product of two elements of the group of a pentagon's symmetries.
pub(super) fn dihedral(a: u8, b: u8) -> u8 {
    match (a < 5, b < 5) {
        (true, true) => (a + b) % 5,
        (true, false) => 5 + (a + b) % 5,
        (false, true) => 5 + (a - b) % 5,
        (false, false) => (5 + a - b) % 5,
    }
}

/// The United States: no check digit, but ranges that are never given.
pub(super) fn ssn(digits: &[u8]) -> bool {
    let number = |part: &[u8]| part.iter().fold(0_u32, |n, byte| 10 * n + u32::from(byte - b'0'));
    digits.len() == 9
        && !matches!(number(&digits[..3]), 0 | 666 | 900..)
        && number(&digits[3..5]) > 0
        && number(&digits[5..]) > 0
}

fn weighted(digits: &[u8], weights: &[i32]) -> i32 {
    digits.iter().zip(weights).map(|(byte, weight)| i32::from(byte - b'0') * weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from the documents that define them; none is anyone's.
    #[test]
    fn known_numbers_pass_and_their_neighbours_do_not() {
        type Check = fn(&[u8]) -> bool;
        let cases: [(&str, Check, &str); 12] = [
            ("card", luhn, "4111111111111111"),
            ("iban", iban, "GB82WEST12345698765432"),
            ("dni", dni, "12345678Z"),
            ("nie", dni, "X1234567L"),
            ("insee", insee, "255081416802538"),
            ("codice fiscale", codice_fiscale, "MRTMTT91D08F205J"),
            ("bsn", bsn, "111222333"),
            ("cpf", cpf, "52998224725"),
            ("steuer-id", steuer_id, "86095742719"),
            ("pesel", pesel, "44051401359"),
            ("nhs", nhs, "9434765919"),
            ("aadhaar", aadhaar, "234123412346"),
        ];
        for (name, check, number) in cases {
            assert!(check(number.as_bytes()), "{name} {number}");
            let mut other = number.as_bytes().to_vec();
            other[5] = if other[5].is_ascii_digit() { b'0' + (other[5] - b'0' + 1) % 10 } else { b'Q' };
            assert!(!check(&other), "{name} {number}, one character changed");
        }
    }
}
