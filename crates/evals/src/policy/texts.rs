//! Harmless texts that look as if they held secrets or personal numbers.

use super::values::{ALNUM, BASE64, DIGITS, HEX, LOWER, UPPER, run};
use crate::random::Random;

type Make = fn(&mut Random) -> String;

pub(super) const KINDS: &[(&str, Make)] = &[
    ("hashes", |r| {
        let length = *r.pick(&[32, 40, 64, 128]);
        let form = *r.pick(&["sha256:", "commit ", "md5sum ", "ETag: ", "checksum=", ""]);
        format!("{form}{}", run(r, HEX, length))
    }),
    ("UUIDs", |r| {
        let parts: Vec<String> = [8, 4, 4, 4, 12].iter().map(|count| run(r, HEX, *count)).collect();
        format!("{} {}", r.pick(&["request", "id:", "trace", "session", "device"]), parts.join("-"))
    }),
    ("lorem", |r| sentence(r, LOREM)),
    ("prose", |r| sentence(r, PROSE)),
    ("talk of secrets", |r| r.pick(TALK).to_string()),
    ("code", |r| {
        let number = r.below(1_000);
        r.pick(CODE).replace("NN", &number.to_string())
    }),
    ("placeholders", |r| r.pick(PLACEHOLDERS).to_string()),
    ("base64 images", |r| {
        format!("![](data:image/png;base64,iVBORw0KGgo{}{}==)", "AAAANSUhEUg", run(r, BASE64, 300))
    }),
    ("git diffs", |r| {
        let old = run(r, HEX, 7);
        let new = run(r, HEX, 7);
        let at = r.below(900);
        let line = sentence(r, PROSE);
        format!(
            "diff --git a/src/lib.rs b/src/lib.rs\nindex {old}..{new} 100644\n@@ -{at},7 +{at},9 @@\n-{line}\n+{line} now\n"
        )
    }),
    ("lock files", |r| {
        format!(
            "  \"integrity\": \"sha512-{}==\",\n  \"resolved\": \"https://registry.example/left-pad/-/left-pad-1.3.0.tgz\"",
            run(r, BASE64, 86)
        )
    }),
    ("phone-like numbers", |r| {
        let a = run(r, DIGITS, 3);
        let b = run(r, DIGITS, 3);
        let c = run(r, DIGITS, 4);
        let form =
            *r.pick(&["part A-B-C", "SKU A.B.C", "model A B C", "row A, B and C", "A/B/C in the ledger"]);
        form.replace('A', &a).replace('B', &b).replace('C', &c)
    }),
    ("versions", |r| {
        let numbers = [r.below(30), r.below(40), r.below(9_999)];
        format!(
            "{} v{}.{}.{}-rc.{}+build.{}",
            r.pick(&["node", "serde", "kernel"]),
            numbers[0],
            numbers[1],
            numbers[2],
            r.below(9),
            run(r, DIGITS, 8)
        )
    }),
    ("dates", |r| {
        let month = r.between(1, 12);
        let day = r.between(1, 28);
        format!(
            "2026-{month:02}-{day:02}T{:02}:{:02}:{:02}.{}Z, then {day}.{month}.2026 and {month}/{day}/26",
            r.below(24),
            r.below(60),
            r.below(60),
            run(r, DIGITS, 6)
        )
    }),
    ("order numbers", |r| {
        let length = r.between(7, 20);
        format!(
            "{} {}",
            r.pick(&["Order", "order no.", "Invoice", "Tracking", "Ticket", "Serial", "order #"]),
            run(r, DIGITS, length)
        )
    }),
    ("order codes", |r| format!("{}-{}-{}", run(r, UPPER, 3), run(r, DIGITS, 6), run(r, UPPER, 2))),
    ("timestamps", |r| {
        format!("at {}{} the job ended after {} ms", "17", run(r, DIGITS, 11), run(r, "123456789", 6))
    }),
    ("book numbers", |r| {
        format!("ISBN 978-{}-{}-{}-{}", r.below(9), run(r, DIGITS, 4), run(r, DIGITS, 4), r.below(9))
    }),
    ("addresses of the web", |r| {
        format!(
            "https://example.org/{}/{}?page={}&ref={}#L{}",
            run(r, LOWER, 6),
            run(r, LOWER, 9),
            r.below(99),
            run(r, LOWER, 8),
            r.below(400)
        )
    }),
    ("paths", |r| format!("/home/user/{}/{}-{}.tar.gz", run(r, LOWER, 6), run(r, LOWER, 8), r.below(999))),
    ("network", |r| {
        let octet = |r: &mut Random| r.below(256).to_string();
        let address: Vec<String> = (0..4).map(|_| octet(r)).collect();
        let card: Vec<String> = (0..6).map(|_| run(r, HEX, 2)).collect();
        format!(
            "{}:{} via {} fe80::{}",
            address.join("."),
            r.between(1_024, 65_535),
            card.join(":"),
            run(r, HEX, 4)
        )
    }),
    ("figures", |r| {
        format!(
            "| 2025 | {} | {}.{} % | {},{} EUR |",
            run(r, "123456789", 6),
            r.below(99),
            r.below(9),
            run(r, "123456789", 3),
            run(r, DIGITS, 3)
        )
    }),
    ("coordinates", |r| {
        format!("48.{}, 11.{} at {} m", run(r, DIGITS, 6), run(r, DIGITS, 6), r.below(3_000))
    }),
    ("log lines", |r| {
        format!(
            "[{}] worker-{} took {}ms for job {} ({} retries)",
            run(r, DIGITS, 10),
            r.below(64),
            r.below(9_999),
            run(r, HEX, 16),
            r.below(9)
        )
    }),
    ("identifiers", |r| {
        format!("{}_{}_{} and {}", run(r, LOWER, 6), run(r, LOWER, 9), run(r, DIGITS, 4), run(r, ALNUM, 11))
    }),
    ("remotes", |r| {
        format!(
            "git@github.com:{}/{}.git, npm install {}@{}.{}.0",
            run(r, LOWER, 6),
            run(r, LOWER, 8),
            run(r, LOWER, 7),
            r.below(20),
            r.below(20)
        )
    }),
    ("style sheets", |r| {
        format!(
            "a {{ color: #{}; margin: {}px; content: \"\\{}\" }}",
            run(r, HEX, 6),
            r.below(99),
            run(r, HEX, 4)
        )
    }),
    ("other scripts", |r| sentence(r, SCRIPTS)),
    ("fact lines", |r| {
        format!(
            "- O(key=editor.theme,c=0.{},v={}) @user: {} ^{}",
            r.below(99),
            r.below(9),
            sentence(r, PROSE),
            run(r, "0123456789abcdefghjkmnpqrstvwxyz", 6)
        )
    }),
];

fn sentence(random: &mut Random, words: &[&str]) -> String {
    let count = random.between(6, 24);
    let said: Vec<&str> = (0..count).map(|_| *random.pick(words)).collect();
    format!("{}.", said.join(" "))
}

const LOREM: &[&str] = &[
    "lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "adipiscing", "elit", "sed", "do", "eiusmod",
    "tempor", "incididunt", "ut", "labore", "et", "dolore", "magna", "aliqua", "enim", "minim", "veniam",
];
const PROSE: &[&str] = &[
    "Sarah", "moved", "the", "release", "to", "Friday", "because", "staging", "was", "down", "for", "3",
    "hours", "and", "nobody", "had", "tested", "version", "2.4.1", "with", "Postgres", "16", "on", "port",
    "5432", "so", "we", "keep", "100", "requests", "per", "minute", "until", "Q3", "2026", "monkey",
    "risk-free", "task-driven", "desk-based",
];
const SCRIPTS: &[&str] = &[
    "我们", "决定", "周五", "发布", "版本", "2.4.1", "Сара", "перенесла", "релиз", "на", "пятницу", "サラ",
    "は", "会議", "を", "延期", "した", "الاجتماع", "يوم", "الجمعة", "회의는", "금요일", "에", "14", "Uhr",
    "größer", "naïve", "señor",
];
const TALK: &[&str] = &[
    "The password is required, and must have at least 12 characters.",
    "Password: required. Token: optional. Secret: none.",
    "I forgot my password again and asked for a reset link.",
    "We rotate every token after 90 days; the secret of good tests is patience.",
    "token limit: 128000, tokens used: 4096, token budget: 2048",
    "The secret ingredient is butter.",
    "Das Passwort ist abgelaufen, bitte ein neues setzen.",
    "La contraseña es obligatoria y la clave es la paciencia.",
    "Le mot de passe est trop court.",
    "Secret Santa is on 2026-12-18 at 18:00.",
    "The API key is stored in 1Password, vault Engineering.",
    "access key rotation is due every 90 days",
    "max_tokens: 4096, token_count=15234, password_min_length = 12",
    "The token is valid for 3600 seconds.",
    "Passphrase = six words of a dictionary",
    "Keys that begin with sk- or ghp_ are secrets; AKIA marks an id.",
    "A PEM file begins with -----BEGIN PRIVATE KEY----- and ends likewise.",
    "The header is Authorization: Bearer followed by the token.",
    "secret: see the vault; credential: ask Sarah",
    "пароль: спроси у Сары",
    "密码：请问莎拉",
];
const CODE: &[&str] = &[
    "let token = next_token(&mut lexer)?;",
    "const secret = process.env.SECRET_KEY;",
    "password = getpass.getpass(prompt='Password: ')",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "if (token === undefined) { throw new Error('no token NN'); }",
    "self.api_key = config.get('api_key', None)",
    "password_hash: String::from_utf8_lossy(&digest[..NN])",
    "token: Token::Ident(name.clone()),",
    "SELECT id, password FROM users WHERE id = NN;",
    "export API_KEY=$(pass show work/api)",
    "secret_name = \"prod-db-secret-vNN\"",
    "auth_token = os.environ['AUTH_TOKEN']",
    "fn access_key(&self) -> Option<&str> { self.key.as_deref() }",
    "credentials: 'same-origin', cache: 'no-store',",
    "for (let i = 0; i < NN; i++) sum += data[i] * 0x5DEECE66D;",
    "println!(\"{:>8} {:.3} ms\", name, NN as f64 / 1_000.0);",
    "assert_eq!(hash(b\"abc\"), 0xba7816bf8f01cfeaNNu64);",
    "- uses: actions/checkout@v4  # token: ${{ secrets.GITHUB_TOKEN }}",
    "token = request.headers.get('X-Token-NN')",
    "{ \"type\": \"token\", \"value\": NN, \"secret\": false }",
];
const PLACEHOLDERS: &[&str] = &[
    "api_key: YOUR_API_KEY_HERE",
    "password: <your-password-1>",
    "password=changeme123!",
    "token: xxxxxxxxxxxxxxxxxxxxxxxx1",
    "secret = \"********************\"",
    "postgres://user:password@localhost:5432/db",
    "https://user:<password>@example.org/",
    "export OPENAI_API_KEY=sk-your-key-here",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE_12",
    "client_secret: ${CLIENT_SECRET_2}",
    "pwd: {{ vault.password2 }}",
    "key: sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];
