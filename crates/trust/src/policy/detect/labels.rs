//! What announces a secret, and what announces something that only looks like one: a row of words for each way in which a
//! value may stand to them.

/// How near to its words a value must stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bond {
    /// After them or before them, with a few words between.
    Loose,
    /// Right after a sign that follows them, such as `=`: without one they have many other meanings.
    Signed,
    /// After them, a name, and a sign: `-u admin:…`.
    Named,
    /// After them, also where it is all digits.
    Codes,
    /// Twelve words or more after them.
    Phrase,
}

/// A word of a script without capital letters is found as it is.
pub(super) const LABELS: &[(Bond, &[&str])] = &[
    (
        Bond::Loose,
        &[
            "password", "passwort", "passwd", "passphrase", "passcode", "kennwort", "pwd", "secret", "token",
            "api key", "api-key", "api_key", "apikey", "access key", "access-key", "access_key", "accesskey",
            "private key", "private-key", "private_key", "privatekey", "encryption key", "signing key",
            "credential", "geheimnis", "contraseña", "clave", "mot de passe", "senha", "wachtwoord",
            "parola d'ordine", "hasło", "heslo", "lösenord", "adgangskode", "passord", "salasana", "jelszó",
            "parolă", "şifre", "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "รหัสผ่าน",
            "पासवर्ड", "كلمة السر", "كلمة المرور", "סיסמה", "mật khẩu", "kata sandi", "otp seed", "webhook",
        ],
    ),
    (
        Bond::Signed,
        &[
            "key", "pass", "pw", "auth", "cookie", "sessionid", "session", "seed", "dsn", "pat", "sid",
            "login", "pin",
        ],
    ),
    (Bond::Named, &["-u", "--user", "login", "credentials"]),
    (Bond::Codes, &["recovery code", "backup code", "recovery key", "one-time code", "scratch code"]),
    (
        Bond::Phrase,
        &[
            "seed phrase", "recovery phrase", "backup phrase", "mnemonic", "seed words", "wallet seed",
            "wallet",
        ],
    ),
];

/// What stands between such words and a value, or right before it, and says that it is no secret.
const OTHERS: &[&str] = &[
    "commit", "sha", "sha1", "sha256", "sha512", "md5", "md5sum", "hash", "digest", "checksum",
    "fingerprint", "etag", "id", "ids", "uuid", "guid", "rev", "revision", "build", "version", "public",
    "pub", "url", "uri", "path", "file", "expires", "count",
];

/// Whether a name says that what follows is something else: `_id`, `SHA-256`.
pub(super) fn is_other(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| OTHERS.iter().any(|other| other.eq_ignore_ascii_case(word)))
}
