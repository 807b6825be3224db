use super::*;

/// Enough for a test, and no more.
const LIGHT: u8 = 4;

fn words(text: &str) -> Passphrase {
    Passphrase::new(text).unwrap()
}

fn sizes() -> [usize; 7] {
    [0, 1, 100, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 200_000]
}

#[test]
fn what_was_encrypted_is_opened_by_its_key_alone() {
    let own = Identity::generate().unwrap();
    let other = Identity::generate().unwrap();
    for size in sizes() {
        let plain: Vec<u8> = (0..size).map(|n| (n * 7) as u8).collect();
        let file = encrypt(&plain, &own.recipient()).unwrap();
        assert!(is_age(&file) && (size < 100 || !file.windows(100).any(|part| plain.starts_with(part))));
        assert_eq!(decrypt(&file, std::slice::from_ref(&own)).unwrap().as_slice(), plain);
        assert_eq!(decrypt(&file, &[other.clone(), own.clone()]).unwrap().as_slice(), plain);
        assert_eq!(decrypt(&file, std::slice::from_ref(&other)).unwrap_err(), Error::OtherKey);
    }
}

#[test]
fn a_passphrase_opens_what_it_closed() {
    let file = encrypt_with_passphrase(b"hello", &words("correct horse"), LIGHT).unwrap();
    assert_eq!(decrypt_with_passphrase(&file, &words("correct horse")).unwrap().as_slice(), b"hello");
    assert_eq!(decrypt_with_passphrase(&file, &words("battery")).unwrap_err(), Error::WrongPassphrase);
    assert_eq!(decrypt(&file, &[Identity::generate().unwrap()]).unwrap_err(), Error::NeedsPassphrase);
    let heavy = String::from_utf8_lossy(&file).replacen(" 4\n", " 30\n", 1).into_bytes();
    assert_eq!(
        decrypt_with_passphrase(&heavy, &words("x")).unwrap_err(),
        Error::TooMuchWork { work: 30, most: 22 }
    );
}

#[test]
fn any_changed_byte_and_any_cut_is_noticed() {
    let own = [Identity::generate().unwrap()];
    let file = encrypt(b"The code of the safe is 4711.", &own[0].recipient()).unwrap();
    for at in 0..file.len() {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert!(decrypt(&changed, &own).is_err(), "byte {at}");
        assert!(decrypt(&file[..at], &own).is_err(), "cut at {at}");
    }
    let longer = [file.as_slice(), b"x"].concat();
    assert!(decrypt(&longer, &own).is_err());
}

#[test]
fn pieces_cannot_be_dropped_or_moved() {
    let own = [Identity::generate().unwrap()];
    let file = encrypt(&vec![7; 3 * (64 << 10)], &own[0].recipient()).unwrap();
    let piece = (64 << 10) + 16;
    let start = file.len() - 3 * piece;
    let swapped = [
        &file[..start],
        &file[start + piece..start + 2 * piece],
        &file[start..start + piece],
        &file[start + 2 * piece..],
    ];
    let dropped = [&file[..start], &file[start + piece..]];
    let last_gone = [&file[..start + 2 * piece]];
    for changed in [swapped.concat(), dropped.concat(), last_gone.concat()] {
        assert!(decrypt(&changed, &own).is_err());
    }
}

#[test]
fn keys_are_read_as_they_are_written_and_do_not_print() {
    let own = Identity::generate().unwrap();
    let text = own.to_text().unwrap();
    assert!(text.starts_with("AGE-SECRET-KEY-1") && own.recipient().to_string().starts_with("age1"));
    assert_eq!(Identity::parse(&text).unwrap(), own);
    assert_eq!(Recipient::parse(&own.recipient().to_string()).unwrap(), own.recipient());
    assert!(!format!("{own:?}").contains(text.as_str()));
    let file = format!("# created: today\n\n{}\n{}\n", text.as_str(), text.as_str());
    assert_eq!(identities(&file).unwrap(), [own.clone(), own.clone()]);
    for wrong in ["", "# only words\n", &text[1..], &own.recipient().to_string()] {
        assert!(identities(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn no_bytes_make_reading_fail_otherwise_than_by_an_error() {
    let own = [Identity::generate().unwrap()];
    for text in [
        "",
        "age-encryption.org/v1\n",
        "age-encryption.org/v1\n---\n",
        "age-encryption.org/v1\n--- \n",
        "age-encryption.org/v1\n-> X25519 \n\n--- AA\n",
        "age-encryption.org/v1\n-> X25519 AA\nAA\n--- AA\n",
        "age-encryption.org/v1\n-> scrypt AA 4\nAA\n--- AA\n",
        "age-encryption.org/v2\n",
    ] {
        assert!(
            decrypt(text.as_bytes(), &own).is_err()
                && decrypt_with_passphrase(text.as_bytes(), &words("x")).is_err()
        );
    }
}

/// A file that `age` 1.1.1 wrote, for a key that was made for this test and opens nothing else.
#[test]
fn what_age_wrote_is_read() {
    let key = ["AGE-SECRET-", "KEY-1F7DLRHF956UFFLWCUEQWCUCNWU26", "LJQXCWVC00AHA8Y6HSKQ3ERQTGNSGW"].concat();
    let file = "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBlaC96T3pUaTljY3RxNkltZWdBeW9YVFBiMit6d0F5UjhWMmkvalFrYVdBC\
                lY1dUNtV200VksvUk1TdmErbXJtTDdsR0dYdVg3bERzSUtFbmtmVHlRbU0KLS0tIHRrcFZ1MyttRnQwaGM4bVVaQngyTkx1Q0ZVUGFDR\
                TA4MmFpb3YvaHlGVkkKPccEj9TcbuupnlmcEZgHp/ZryJXCVtPS5LlUocRd5eWNUaTTzJT/FhYOdd8pbJg7QW4hMp1z3wLgHge6OsI7I\
                htXtkpDLA==";
    let file = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, file).unwrap();
    let own = Identity::parse(&key).unwrap();
    assert_eq!(own.recipient().to_string(), "age16jkw8w4009qjjjx4xs3mn2c0cmv0kj5uqcdr520d57t4cuj4s4gstw9zzs");
    assert_eq!(decrypt(&file, &[own]).unwrap().as_slice(), b"The quartz vault is behind the clock.\n");
}
