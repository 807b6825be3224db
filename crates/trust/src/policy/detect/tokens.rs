//! Keys that begin with a prefix of their own, or have a mark inside.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input};

use super::alphabet::{Alphabet, entropy, is_placeholder, joins};
use super::pieces::Piece;
use super::{Detector, Sink};
use Alphabet::{Alnum, Base64, Dotted, Escaped, Hex, Path, Upper, Word};

/// A key is a mark and a run of characters after it, of a length within bounds.
struct Token {
    rule: &'static str,
    mark: &'static str,
    /// How many characters of the alphabet stand before the mark.
    before: (usize, usize),
    alphabet: Alphabet,
    after: (usize, usize),
}

const fn token(
    rule: &'static str,
    mark: &'static str,
    alphabet: Alphabet,
    least: usize,
    most: usize,
) -> Token {
    Token { rule, mark, before: (0, 0), alphabet, after: (least, most) }
}

const fn inside(
    rule: &'static str,
    before: (usize, usize),
    mark: &'static str,
    alphabet: Alphabet,
    after: (usize, usize),
) -> Token {
    Token { rule, mark, before, alphabet, after }
}

/// Of two rows that match at one place the longer span counts, so that a special prefix needs no precedence.
const TOKENS: &[Token] = &[
    token("anthropic-key", "sk-ant-", Word, 32, 220),
    token("openai-key", "sk-proj-", Word, 32, 260),
    token("openai-key", "sk-svcacct-", Word, 32, 260),
    token("openai-key", "sk-admin-", Word, 32, 260),
    token("openai-key", "sk-", Alnum, 32, 64),
    token("openrouter-key", "sk-or-v1-", Hex, 48, 80),
    token("langfuse-key", "sk-lf-", Word, 32, 64),
    token("google-key", "AIza", Word, 35, 35),
    token("google-key", "GOCSPX-", Word, 24, 40),
    token("google-key", "ya29.", Word, 30, 1024),
    token("aws-key", "AKIA", Upper, 16, 16),
    token("aws-key", "ASIA", Upper, 16, 16),
    token("aws-key", "ABIA", Upper, 16, 16),
    token("aws-key", "ACCA", Upper, 16, 16),
    token("aws-key", "ABSK", Base64, 100, 300),
    token("azure-key", "AccountKey=", Base64, 80, 96),
    token("azure-key", "SharedAccessKey=", Base64, 40, 60),
    token("azure-key", "?sig=", Escaped, 40, 120),
    token("azure-key", "&sig=", Escaped, 40, 120),
    inside("azure-key", (40, 80), "JQQJ99", Alnum, (20, 40)),
    inside("azure-key", (40, 80), "AZDO", Alnum, (2, 40)),
    inside("azure-key", (3, 3), "8Q~", Dotted, (28, 40)),
    token("github-token", "ghp_", Alnum, 36, 255),
    token("github-token", "gho_", Alnum, 36, 255),
    token("github-token", "ghu_", Alnum, 36, 255),
    token("github-token", "ghs_", Alnum, 36, 255),
    token("github-token", "ghr_", Alnum, 36, 255),
    token("github-token", "github_pat_", Word, 50, 255),
    token("gitlab-token", "glpat-", Dotted, 20, 128),
    token("gitlab-token", "gldt-", Word, 20, 64),
    token("gitlab-token", "glptt-", Word, 40, 64),
    token("gitlab-token", "glrt-", Dotted, 20, 128),
    token("gitlab-token", "glcbt-", Word, 20, 64),
    token("gitlab-token", "glft-", Word, 20, 64),
    token("gitlab-token", "glsoat-", Word, 20, 64),
    token("gitlab-token", "glagent-", Word, 40, 64),
    token("gitlab-token", "gloas-", Word, 40, 80),
    token("slack-token", "xoxb-", Word, 20, 255),
    token("slack-token", "xoxp-", Word, 20, 255),
    token("slack-token", "xoxa-", Word, 20, 255),
    token("slack-token", "xoxr-", Word, 20, 255),
    token("slack-token", "xoxs-", Word, 20, 255),
    token("slack-token", "xoxc-", Word, 20, 255),
    token("slack-token", "xoxe.xox", Word, 20, 255),
    token("slack-token", "xoxe-", Word, 20, 255),
    token("slack-token", "xapp-", Word, 20, 255),
    token("slack-webhook", "hooks.slack.com/services/", Path, 40, 64),
    token("slack-webhook", "hooks.slack.com/workflows/", Path, 40, 90),
    token("discord-webhook", "discord.com/api/webhooks/", Path, 70, 120),
    token("discord-webhook", "discordapp.com/api/webhooks/", Path, 70, 120),
    inside("telegram-token", (8, 12), ":AA", Word, (32, 34)),
    token("stripe-key", "sk_live_", Alnum, 16, 255),
    token("stripe-key", "sk_test_", Alnum, 16, 255),
    token("stripe-key", "rk_live_", Alnum, 16, 255),
    token("stripe-key", "rk_test_", Alnum, 16, 255),
    token("stripe-key", "whsec_", Base64, 24, 128),
    token("twilio-key", "SK", Hex, 32, 32),
    token("twilio-key", "AC", Hex, 32, 32),
    token("sendgrid-key", "SG.", Dotted, 60, 80),
    token("mailgun-key", "key-", Hex, 32, 32),
    inside("mailchimp-key", (32, 32), "-us", Hex, (1, 2)),
    token("brevo-key", "xkeysib-", Word, 64, 96),
    token("npm-token", "npm_", Alnum, 36, 40),
    token("pypi-token", "pypi-AgEI", Word, 50, 1024),
    token("pypi-token", "pypi-AgEN", Word, 50, 1024),
    token("rubygems-key", "rubygems_", Hex, 48, 48),
    token("crates-io-token", "cio", Alnum, 32, 32),
    token("nuget-key", "oy2", Alnum, 43, 43),
    token("clojars-token", "CLOJARS_", Alnum, 60, 60),
    token("docker-token", "dckr_pat_", Word, 24, 64),
    token("docker-token", "dckr_oat_", Word, 24, 64),
    token("huggingface-token", "hf_", Alnum, 30, 40),
    token("huggingface-token", "api_org_", Alnum, 30, 40),
    token("groq-key", "gsk_", Alnum, 40, 64),
    token("perplexity-key", "pplx-", Alnum, 40, 64),
    token("xai-key", "xai-", Alnum, 60, 100),
    token("replicate-token", "r8_", Alnum, 36, 40),
    token("pinecone-key", "pcsk_", Word, 50, 90),
    token("jina-key", "jina_", Word, 50, 80),
    token("mem0-key", "m0-", Alnum, 32, 64),
    token("tavily-key", "tvly-", Word, 28, 64),
    token("langsmith-key", "lsv2_pt_", Word, 32, 64),
    token("langsmith-key", "lsv2_sk_", Word, 32, 64),
    token("digitalocean-token", "dop_v1_", Hex, 64, 64),
    token("digitalocean-token", "doo_v1_", Hex, 64, 64),
    token("digitalocean-token", "dor_v1_", Hex, 64, 64),
    token("heroku-key", "HRKU-", Word, 36, 80),
    token("netlify-token", "nfp_", Alnum, 36, 64),
    token("supabase-key", "sbp_", Hex, 40, 40),
    token("supabase-key", "sb_secret_", Word, 20, 64),
    token("planetscale-token", "pscale_tkn_", Word, 32, 64),
    token("planetscale-token", "pscale_pw_", Word, 32, 64),
    token("planetscale-token", "pscale_oauth_", Word, 32, 64),
    token("databricks-token", "dapi", Hex, 32, 32),
    token("pulumi-token", "pul-", Hex, 40, 40),
    inside("terraform-token", (14, 14), ".atlasv1.", Base64, (60, 70)),
    token("vault-token", "hvs.", Word, 24, 255),
    token("vault-token", "hvb.", Word, 24, 400),
    token("doppler-token", "dp.pt.", Alnum, 40, 48),
    token("doppler-token", "dp.st.", Dotted, 40, 80),
    token("onepassword-token", "ops_eyJ", Base64, 200, 2048),
    token("tailscale-key", "tskey-auth-", Word, 20, 80),
    token("tailscale-key", "tskey-api-", Word, 20, 80),
    token("tailscale-key", "tskey-client-", Word, 20, 80),
    token("grafana-token", "glsa_", Word, 41, 41),
    token("grafana-token", "glc_", Base64, 32, 400),
    token("sentry-token", "sntrys_", Base64, 60, 400),
    token("sentry-token", "sntryu_", Hex, 64, 64),
    token("newrelic-key", "NRAK-", Upper, 27, 27),
    token("newrelic-key", "NRII-", Word, 32, 32),
    token("dynatrace-token", "dt0c01.", Dotted, 89, 89),
    token("sonar-token", "sqp_", Hex, 40, 40),
    token("sonar-token", "squ_", Hex, 40, 40),
    token("sonar-token", "sqa_", Hex, 40, 40),
    token("sourcegraph-token", "sgp_", Word, 40, 80),
    token("buildkite-token", "bkua_", Hex, 40, 40),
    token("circleci-token", "CCIPAT_", Word, 40, 80),
    token("jfrog-key", "AKCp", Alnum, 69, 69),
    token("octopus-key", "API-", Upper, 26, 32),
    token("openshift-token", "sha256~", Word, 43, 43),
    token("shopify-token", "shpat_", Hex, 32, 32),
    token("shopify-token", "shpca_", Hex, 32, 32),
    token("shopify-token", "shppa_", Hex, 32, 32),
    token("shopify-token", "shpss_", Hex, 32, 32),
    token("square-token", "sq0atp-", Word, 22, 22),
    token("square-token", "sq0csp-", Word, 43, 43),
    token("square-token", "EAAA", Word, 60, 60),
    token("plaid-token", "access-production-", Word, 36, 36),
    token("plaid-token", "access-sandbox-", Word, 36, 36),
    token("shippo-token", "shippo_live_", Hex, 40, 40),
    token("shippo-token", "shippo_test_", Hex, 40, 40),
    token("easypost-key", "EZAK", Alnum, 54, 54),
    token("easypost-key", "EZTK", Alnum, 54, 54),
    token("flutterwave-key", "FLWSECK-", Word, 32, 48),
    token("flutterwave-key", "FLWSECK_TEST-", Word, 32, 48),
    token("duffel-token", "duffel_live_", Word, 43, 43),
    token("duffel-token", "duffel_test_", Word, 43, 43),
    token("alibaba-key", "LTAI", Alnum, 12, 26),
    token("tencent-key", "AKID", Alnum, 32, 32),
    token("adafruit-key", "aio_", Alnum, 28, 28),
    token("airtable-token", "pat", Dotted, 79, 79),
    token("atlassian-token", "ATATT3", Base64, 100, 255),
    token("atlassian-token", "ATCTT3", Base64, 100, 255),
    token("contentful-token", "CFPAT-", Word, 43, 43),
    token("dropbox-token", "sl.", Word, 100, 1500),
    token("figma-token", "figd_", Word, 36, 64),
    token("linear-key", "lin_api_", Alnum, 40, 40),
    token("notion-token", "ntn_", Alnum, 40, 50),
    token("notion-token", "secret_", Alnum, 43, 43),
    token("postman-key", "PMAK-", Word, 59, 59),
    token("prefect-token", "pnu_", Alnum, 36, 36),
    token("readme-key", "rdme_", Alnum, 70, 70),
    token("typeform-token", "tfp_", Dotted, 50, 70),
    token("age-key", "AGE-SECRET-KEY-1", Upper, 58, 58),
];

#[cfg(test)]
pub(super) fn rules() -> impl Iterator<Item = &'static str> {
    TOKENS.iter().map(|token| token.rule)
}

#[cfg(test)]
pub(super) fn marks() -> Vec<String> {
    TOKENS.iter().map(|token| token.mark.to_owned()).collect()
}

/// A value of each row: its mark with a run of its alphabet in which no character says what follows.
#[cfg(test)]
pub(super) fn samples() -> Vec<String> {
    let run = |token: &Token, length: usize, seed: usize| {
        let all = (0..=u8::MAX).filter(|byte| token.alphabet.has(*byte) && byte.is_ascii_alphanumeric());
        let all: Vec<char> = all.map(char::from).collect();
        (0..length).map(|at| all[(at * 37 + at * at * 11 + seed * 7) % all.len()]).collect::<String>()
    };
    let sample = |(at, token): (usize, &Token)| {
        let (before, after) = (run(token, token.before.0, at), run(token, token.after.0, at + 3));
        format!("{before}{}{after}", token.mark)
    };
    TOKENS.iter().enumerate().map(sample).collect()
}

/// Bits a character below which a run is a pattern and no key.
const LEAST_ENTROPY: f32 = 2.5;

struct TokenTable {
    marks: AhoCorasick,
    detectors: Vec<Detector>,
}

static TABLE: LazyLock<Option<TokenTable>> = LazyLock::new(|| {
    let marks = AhoCorasick::new(TOKENS.iter().map(|token| token.mark)).ok()?;
    let detectors = TOKENS.iter().map(|token| Detector::named(token.rule)).collect::<Option<_>>()?;
    Some(TokenTable { marks, detectors })
});

pub(super) fn find(sink: &mut Sink<'_>, pieces: &[Piece]) {
    for piece in pieces.iter().filter(|piece| piece.may_be_key()) {
        let Some(table) = &*TABLE else { return };
        find_in(sink, table, piece);
    }
}

fn find_in(sink: &mut Sink<'_>, table: &TokenTable, piece: &Piece) {
    let text = sink.text;
    for hit in table.marks.find_overlapping_iter(Input::new(text).span(piece.span.clone())) {
        let at = hit.pattern().as_usize();
        let detector = table.detectors[at];
        if !(sink.wanted)(detector) {
            continue;
        }
        if let Some(span) = TOKENS[at].span(text, hit.start(), hit.end()) {
            sink.put(detector, span);
        }
    }
}

impl Token {
    fn span(&self, text: &str, start: usize, end: usize) -> Option<std::ops::Range<usize>> {
        let bytes = text.as_bytes();
        let from = self.begin(bytes, start)?;
        if from > 0 && joins(bytes[from - 1]) {
            return None;
        }
        let (least, most) = self.after;
        let mut to = self.alphabet.end(bytes, end, most + 1);
        // The full stop of a sentence is none of the key's.
        while to > end && bytes[to - 1] == b'.' {
            to -= 1;
        }
        let fits = (least..=most).contains(&(to - end)) && !bytes.get(to).is_some_and(|byte| joins(*byte));
        (fits && is_key(text.get(from..to)?, text.get(end..to)?, self.before.0)).then_some(from..to)
    }

    fn begin(&self, bytes: &[u8], start: usize) -> Option<usize> {
        let (least, most) = self.before;
        if most == 0 {
            return Some(start);
        }
        let from = self.alphabet.start(bytes, start, most + 1);
        (least..=most).contains(&(start - from)).then_some(from)
    }
}

fn is_key(whole: &str, run: &str, before: usize) -> bool {
    let judged = if before > 0 { whole } else { run };
    entropy(judged.as_bytes()) >= LEAST_ENTROPY && !is_placeholder(judged)
}

#[cfg(test)]
mod tests {
    use super::super::pieces::{LEAST_KEY, of};
    use super::*;

    #[test]
    fn no_key_is_shorter_than_a_piece_that_is_looked_at_or_parted_by_one() {
        for token in TOKENS {
            assert!(token.before.0 + token.mark.len() + token.after.0 >= LEAST_KEY, "{}", token.mark);
            let bytes = (0..=u8::MAX).filter(|byte| token.alphabet.has(*byte)).map(char::from);
            let all = token.mark.chars().chain(bytes).collect::<String>();
            let (pieces, _) = of(&all);
            assert!(pieces.len() == 1 && pieces[0].span == (0..all.len()), "{}: {pieces:?}", token.mark);
        }
    }
}
