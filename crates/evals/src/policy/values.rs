//! Random values of the known formats, and texts to put them in.

use super::Positive;
use super::checked;
use crate::random::Random;

type Make = fn(&mut Random) -> String;

/// Stands before and after a value whose surroundings belong to its format.
const MARK: char = '\u{1}';

pub(super) const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
pub(super) const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
pub(super) const DIGITS: &str = "0123456789";
pub(super) const HEX: &str = "0123456789abcdef";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
pub(super) const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
pub(super) const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BECH32: &str = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";

/// So many characters of an alphabet.
pub(super) fn run(random: &mut Random, alphabet: &str, count: usize) -> String {
    let letters = alphabet.as_bytes();
    (0..count).map(|_| char::from(letters[random.below(letters.len())])).collect()
}

fn after(random: &mut Random, prefix: &[&str], alphabet: &str, count: usize) -> String {
    format!("{}{}", prefix.concat(), run(random, alphabet, count))
}

/// Every format, by the detector that knows it. Prefixes are put together from parts, so that nothing here looks like a
/// key to a scanner.
pub(super) const FORMATS: &[(&str, Make)] = &[
    ("anthropic-key", |r| format!("{}AA", after(r, &["sk-", "ant-", "api03-"], WORD, 93))),
    ("openai-key", |r| after(r, &["sk-", "proj-"], WORD, 156)),
    ("openai-key", |r| after(r, &["s", "k-"], ALNUM, 48)),
    ("openrouter-key", |r| after(r, &["sk-", "or-", "v1-"], HEX, 64)),
    ("google-key", |r| after(r, &["AI", "za"], WORD, 35)),
    ("google-key", |r| after(r, &["GOC", "SPX-"], WORD, 28)),
    ("aws-key", |r| after(r, &["AK", "IA"], BASE32, 16)),
    ("aws-key", |r| after(r, &["AS", "IA"], BASE32, 16)),
    ("azure-key", |r| format!("{}==", after(r, &["Account", "Key="], BASE64, 86))),
    ("azure-key", |r| format!("{}JQQJ99{}", run(r, ALNUM, 52), run(r, ALNUM, 26))),
    ("github-token", |r| after(r, &["gh", "p_"], ALNUM, 36)),
    ("github-token", |r| format!("{}_{}", after(r, &["github", "_pat_"], ALNUM, 22), run(r, ALNUM, 59))),
    ("gitlab-token", |r| after(r, &["gl", "pat-"], WORD, 20)),
    ("slack-token", |r| {
        format!("{}-{}-{}", after(r, &["xo", "xb-"], DIGITS, 12), run(r, DIGITS, 13), run(r, ALNUM, 24))
    }),
    ("slack-webhook", |r| {
        let team = run(r, BASE32, 8);
        let channel = run(r, BASE32, 10);
        format!("https://\u{1}hooks.slack{}T{team}/B{channel}/{}\u{1}", ".com/services/", run(r, ALNUM, 24))
    }),
    ("discord-token", |r| {
        format!("{}.{}.{}", after(r, &["M", "T"], ALNUM, 24), run(r, ALNUM, 6), run(r, WORD, 38))
    }),
    ("discord-webhook", |r| {
        format!(
            "https://\u{1}discord{}{}/{}\u{1}",
            ".com/api/webhooks/",
            run(r, DIGITS, 18),
            run(r, WORD, 68)
        )
    }),
    ("telegram-token", |r| format!("{}:AA{}", run(r, "123456789", 10), run(r, WORD, 33))),
    ("stripe-key", |r| after(r, &["sk", "_live_"], ALNUM, 24)),
    ("stripe-key", |r| after(r, &["rk", "_test_"], ALNUM, 99)),
    ("twilio-key", |r| after(r, &["S", "K"], HEX, 32)),
    ("sendgrid-key", |r| format!("{}.{}", after(r, &["S", "G."], WORD, 22), run(r, WORD, 43))),
    ("mailgun-key", |r| after(r, &["ke", "y-"], HEX, 32)),
    ("mailchimp-key", |r| format!("{}-us{}", run(r, HEX, 32), 1 + r.below(21))),
    ("brevo-key", |r| format!("{}-{}", after(r, &["xkey", "sib-"], HEX, 64), run(r, ALNUM, 16))),
    ("npm-token", |r| after(r, &["np", "m_"], ALNUM, 36)),
    ("pypi-token", |r| after(r, &["pypi-", "AgEIcHlwaS5vcmc"], WORD, 150)),
    ("rubygems-key", |r| after(r, &["ruby", "gems_"], HEX, 48)),
    ("crates-io-token", |r| after(r, &["c", "io"], ALNUM, 32)),
    ("docker-token", |r| after(r, &["dckr", "_pat_"], WORD, 27)),
    ("huggingface-token", |r| after(r, &["h", "f_"], ALNUM, 34)),
    ("groq-key", |r| after(r, &["gs", "k_"], ALNUM, 52)),
    ("perplexity-key", |r| after(r, &["pp", "lx-"], ALNUM, 48)),
    ("xai-key", |r| after(r, &["xa", "i-"], ALNUM, 80)),
    ("replicate-token", |r| after(r, &["r", "8_"], ALNUM, 37)),
    ("pinecone-key", |r| after(r, &["pc", "sk_"], WORD, 68)),
    ("tavily-key", |r| after(r, &["tv", "ly-"], ALNUM, 32)),
    ("langsmith-key", |r| format!("{}_{}", after(r, &["lsv2", "_pt_"], HEX, 32), run(r, HEX, 10))),
    ("digitalocean-token", |r| after(r, &["dop", "_v1_"], HEX, 64)),
    ("supabase-key", |r| after(r, &["sb", "p_"], HEX, 40)),
    ("planetscale-token", |r| after(r, &["pscale", "_tkn_"], WORD, 43)),
    ("databricks-token", |r| after(r, &["da", "pi"], HEX, 32)),
    ("terraform-token", |r| format!("{}.atlas{}{}", run(r, ALNUM, 14), "v1.", run(r, ALNUM, 67))),
    ("vault-token", |r| after(r, &["hv", "s."], WORD, 90)),
    ("doppler-token", |r| after(r, &["dp.", "pt."], ALNUM, 43)),
    ("tailscale-key", |r| format!("{}-{}", after(r, &["tskey-", "auth-"], ALNUM, 12), run(r, ALNUM, 32))),
    ("grafana-token", |r| format!("{}_{}", after(r, &["gl", "sa_"], ALNUM, 32), run(r, HEX, 8))),
    ("sentry-token", |r| after(r, &["sntry", "u_"], HEX, 64)),
    ("newrelic-key", |r| after(r, &["NR", "AK-"], BASE32, 27)),
    ("shopify-token", |r| after(r, &["shp", "at_"], HEX, 32)),
    ("square-token", |r| after(r, &["sq0", "csp-"], WORD, 43)),
    ("airtable-token", |r| format!("{}.{}", after(r, &["p", "at"], ALNUM, 14), run(r, HEX, 64))),
    ("atlassian-token", |r| after(r, &["ATA", "TT3"], WORD, 186)),
    ("figma-token", |r| after(r, &["fi", "gd_"], WORD, 40)),
    ("linear-key", |r| after(r, &["lin", "_api_"], ALNUM, 40)),
    ("notion-token", |r| after(r, &["nt", "n_"], ALNUM, 46)),
    ("postman-key", |r| format!("{}-{}", after(r, &["PM", "AK-"], HEX, 24), run(r, HEX, 34))),
    ("jwt", |r| {
        let head = after(r, &["ey", "J"], ALNUM, 33);
        format!("{head}.{}.{}", after(r, &["ey", "J"], ALNUM, 90), run(r, WORD, 43))
    }),
    ("private-key", |r| armoured(r, "RSA PRIVATE KEY")),
    ("private-key", |r| armoured(r, "OPENSSH PRIVATE KEY")),
    ("private-key", |r| armoured(r, "PRIVATE KEY")),
    ("age-key", |r| after(r, &["AGE-", "SECRET-", "KEY-1"], BECH32, 58)),
    ("authorization", |r| format!("Authorization: Bearer \u{1}{}\u{1}", run(r, ALNUM, 40))),
    ("url-credentials", |r| {
        let password = format!("{}{}", run(r, ALNUM, 11), r.below(10));
        format!("postgres://app:\u{1}{password}\u{1}@db.internal:5432/main")
    }),
    ("password", |r| format!("{}: \u{1}{}\u{1}", r.pick(ANNOUNCED), secret(r))),
    ("password", |r| {
        format!(
            "{}=\u{1}{}\u{1}",
            r.pick(&["DB_PASSWORD", "API_SECRET", "AUTH_TOKEN", "app.api_key"]),
            secret(r)
        )
    }),
    ("payment-card", checked::card),
    ("payment-card", |r| grouped(&checked::card(r), &[4, 4, 4, 4], " ")),
    ("iban", checked::iban),
    ("iban", |r| grouped(&checked::iban(r), &[4; 9], " ")),
    ("es-dni", |r| format!("DNI \u{1}{}\u{1}", checked::dni(r))),
    ("es-dni", |r| format!("NIE \u{1}{}\u{1}", checked::nie(r))),
    ("fr-insee", checked::insee),
    ("fr-insee", |r| grouped(&checked::insee(r), &[1, 2, 2, 2, 3, 3, 2], " ")),
    ("it-codice-fiscale", checked::codice_fiscale),
    ("nl-bsn", |r| format!("BSN \u{1}{}\u{1}", checked::bsn(r))),
    ("br-cpf", |r| dotted(&checked::cpf(r))),
    ("in-aadhaar", |r| format!("Aadhaar \u{1}{}\u{1}", grouped(&checked::aadhaar(r), &[4, 4, 4], " "))),
    ("de-steuer-id", |r| {
        format!("Steuer-ID \u{1}{}\u{1}", grouped(&checked::steuer_id(r), &[2, 3, 3, 3], " "))
    }),
    ("pl-pesel", |r| format!("PESEL \u{1}{}\u{1}", checked::pesel(r))),
    ("uk-nhs", |r| format!("NHS number \u{1}{}\u{1}", grouped(&checked::nhs(r), &[3, 3, 4], " "))),
    ("us-ssn", |r| format!("SSN \u{1}{}\u{1}", grouped(&checked::ssn(r), &[3, 2, 4], "-"))),
    ("email", |r| format!("{}.{}@{}.example", run(r, LOWER, 6), run(r, LOWER, 8), run(r, LOWER, 7))),
    ("phone", |r| format!("+49 {} {}", run(r, "123456789", 3), run(r, DIGITS, 7))),
    ("phone", |r| format!("+1-{}-{}-{}", run(r, "23456789", 3), run(r, "23456789", 3), run(r, DIGITS, 4))),
];

/// How people announce a secret, in several languages.
const ANNOUNCED: &[&str] = &[
    "password", "Passwort", "contraseña", "mot de passe", "senha", "wachtwoord", "hasło", "пароль", "密码",
    "client secret", "api key", "token",
];

/// Fourteen characters of all sorts, and at least one of each.
fn secret(random: &mut Random) -> String {
    let sorts = [UPPER, LOWER, DIGITS, "!%&+#"];
    let all: String = sorts.concat();
    let mut secret: String = sorts.iter().map(|sort| run(random, sort, 1)).collect();
    secret.push_str(&run(random, &all, 9));
    secret.push_str(&run(random, ALNUM, 1));
    secret
}

fn armoured(random: &mut Random, label: &str) -> String {
    let dashes = "-".repeat(5);
    let lines: Vec<String> = (0..6).map(|_| run(random, BASE64, 64)).collect();
    format!("{dashes}BEGIN {label}{dashes}\n{}\n{dashes}END {label}{dashes}", lines.join("\n"))
}

fn grouped(digits: &str, shape: &[usize], between: &str) -> String {
    let mut groups = Vec::new();
    let mut rest = digits;
    for count in shape {
        let (group, others) = rest.split_at((*count).min(rest.len()));
        if !group.is_empty() {
            groups.push(group);
        }
        rest = others;
    }
    groups.join(between)
}

/// `529.982.247-25`
fn dotted(cpf: &str) -> String {
    format!("{}.{}.{}-{}", &cpf[..3], &cpf[3..6], &cpf[6..9], &cpf[9..])
}

/// A value in a sentence, a setting, a fact line or by itself.
pub(super) fn placed(rule: &'static str, value: &str, random: &mut Random) -> Positive {
    let forms: [fn(&str) -> String; 8] = [
        |value| value.to_owned(),
        |value| format!("For staging we use {value} until Friday.\n"),
        |value| format!("- W @api: the deploy job uses {value} since March\n"),
        |value| format!("# Setup\n\n    export VALUE=\"{value}\"\n\nThen restart.\n"),
        |value| format!("{{\"name\": \"demo\", \"value\": \"{value}\", \"on\": true}}"),
        |value| format!("| what | value |\n|---|---|\n| staging | {value} |\n"),
        |value| format!("> Sarah wrote:\n> {value}\n> please rotate it\n"),
        |value| format!("Noted ({value}), see the wiki."),
    ];
    // A block of lines stands by itself.
    let forms = if value.contains('\n') { &forms[..2] } else { &forms[..] };
    let text = random.pick(forms)(value).replace(MARK, "");
    let value = value.split(MARK).nth(1).unwrap_or(value).to_owned();
    Positive { rule, text, value }
}
