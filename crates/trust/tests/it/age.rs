//! The public test vectors of age: each is opened or refused as the format says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mindfile_note::hash::Digest;
use mindfile_trust::age::{self, Error, Identity, Passphrase};

/// Keys of another kind, which are refused by name.
const HYBRID: &str = "AGE-SECRET-KEY-PQ-";

struct Vector {
    name: String,
    /// What stands above the file.
    fields: BTreeMap<String, String>,
    file: Vec<u8>,
}

fn vectors() -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cctv");
    let mut paths: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_none() && !path.ends_with(".gitattributes"));
    paths.sort();
    paths.iter().map(|path| vector(path)).collect()
}

fn vector(path: &Path) -> Vector {
    let bytes = std::fs::read(path).unwrap();
    let head = bytes.windows(2).position(|two| two == b"\n\n").unwrap();
    let fields = std::str::from_utf8(&bytes[..head]).unwrap().lines();
    let fields: BTreeMap<String, String> = fields
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let file = &bytes[head + 2..];
    let file = match fields.get("compressed").map(String::as_str) {
        Some("zlib") => miniz_oxide::inflate::decompress_to_vec_zlib(file).unwrap(),
        Some(other) => panic!("{other} is not known"),
        None => file.to_owned(),
    };
    Vector { name: path.file_name().unwrap().to_str().unwrap().to_owned(), fields, file }
}

impl Vector {
    /// What comes of it, in the words of the vectors.
    fn outcome(&self) -> &'static str {
        let opened = match (self.fields.get("identity"), self.fields.get("passphrase")) {
            (None, None) => age::decrypt(&self.file, &[]),
            (Some(identity), None) => age::decrypt(&self.file, &[Identity::parse(identity).unwrap()]),
            (_, Some(words)) => age::decrypt_with_passphrase(&self.file, &Passphrase::new(words).unwrap()),
        };
        match opened {
            Ok(plain) if Digest::of(&plain).to_string() == self.fields["payload"] => "success",
            Ok(_) => "another text",
            Err(Error::OtherKey | Error::WrongPassphrase | Error::NeedsPassphrase) => "no match",
            Err(Error::Damaged { what: "its header was changed" }) => "HMAC failure",
            Err(Error::Damaged { what: "it ends too soon" | "its text was changed or cut off" }) => {
                "payload failure"
            }
            Err(Error::Damaged { .. } | Error::NotAge | Error::TooMuchWork { .. }) => "header failure",
            Err(error @ (Error::NotAKey { .. } | Error::NoRandomness)) => panic!("{}: {error}", self.name),
        }
    }
}

#[test]
fn every_public_vector_is_opened_or_refused_as_the_format_says() {
    let all = vectors();
    let is_ours =
        |vector: &&Vector| !vector.fields.get("identity").is_some_and(|key| key.starts_with(HYBRID));
    let differing: Vec<String> = all
        .iter()
        .filter(is_ours)
        .map(|vector| (vector, vector.outcome()))
        .filter(|(vector, outcome)| vector.fields["expect"] != *outcome)
        .map(|(vector, outcome)| format!("{}: {outcome} instead of {}", vector.name, vector.fields["expect"]))
        .collect();
    assert_eq!(differing, Vec::<String>::new());
    assert_eq!((all.len(), all.iter().filter(is_ours).count()), (110, 92));
}

#[test]
fn a_key_of_another_kind_is_refused_by_name() {
    let hybrid = vectors().into_iter().find(|vector| vector.name == "hybrid").unwrap();
    let refused = Identity::parse(&hybrid.fields["identity"]).map(|_| ()).unwrap_err();
    assert_eq!(refused.to_string(), "a secret key is not an age key");
}
