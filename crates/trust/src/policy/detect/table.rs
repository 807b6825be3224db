//! The detectors, a row each: what it finds, what happens to it, and what a key or a number looks like that needs no code
//! of its own.

use Class::{Allowed, Masked, NeverStore};
use Parting::{Groups, Spaced, Telling, Whole};

use super::alphabet::Alphabet::{
    self, Alnum, Base64, Base64Path, Dashed, Dotted, DottedPadded, Escaped, Hex, Tilde, Upper, Webhook, Word,
};
use super::{DetectorSpec, checks};
use crate::policy::Class;

/// Keys of one form: a mark, and a run of characters after it whose length is within bounds. Of two forms that match at one
/// place the longer span counts, so that a special mark needs no precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) marks: &'static [&'static str],
    /// How many characters of the alphabet stand before the mark.
    pub(super) before: (usize, usize),
    pub(super) alphabet: Alphabet,
    pub(super) after: (usize, usize),
}

/// A number of so many digits that a country gives its people.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberForm {
    pub(super) length: usize,
    pub(super) check: fn(&[u8]) -> bool,
    pub(super) parting: Parting,
    /// Words of which one must stand near the number. None: the check says enough.
    pub(super) beside: &'static [&'static str],
}

/// How the digits of a number may be parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parting {
    /// Not at all.
    Whole,
    /// By one sign throughout: a space, a dash or a full stop.
    Spaced,
    /// Not at all, or into groups of these lengths.
    Groups(&'static [usize]),
    /// In any way; with these separators the number needs no word.
    Telling(&'static [u8]),
}

/// Every built-in detector, in the order in which `policy show` lists them: one line each, however long.
#[rustfmt::skip]
pub const DETECTORS: &[DetectorSpec] = &[
    key("anthropic-key", "API keys of Anthropic", &[after(&["sk-ant-"], Word, 32, 220)]),
    key("openai-key", "API keys of OpenAI, and of services that use its form", &[after(&["sk-proj-", "sk-svcacct-", "sk-admin-"], Word, 32, 260), after(&["sk-"], Alnum, 32, 64)]),
    key("openrouter-key", "API keys of OpenRouter", &[after(&["sk-or-v1-"], Hex, 48, 80)]),
    key("google-key", "API keys, client secrets and access tokens of Google", &[after(&["AIza"], Word, 35, 35), after(&["GOCSPX-"], Word, 24, 40), after(&["ya29."], Word, 30, 1024)]),
    key("aws-key", "access key ids of AWS", &[after(&["AKIA", "ASIA", "ABIA", "ACCA"], Upper, 16, 16), after(&["ABSK"], Base64, 100, 300)]),
    key("azure-key", "storage, service bus and OpenAI keys, client secrets and signed URLs of Azure", &[after(&["AccountKey="], Base64, 80, 96), after(&["SharedAccessKey="], Base64, 40, 60), after(&["?sig=", "&sig="], Escaped, 40, 120), inside((40, 80), &["JQQJ99"], Alnum, (20, 40)), inside((40, 80), &["AZDO"], Alnum, (2, 40)), inside((3, 3), &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"], Tilde, (28, 40))]),
    key("github-token", "tokens of GitHub", &[after(&["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], Alnum, 36, 255), after(&["github_pat_"], Word, 50, 255)]),
    key("gitlab-token", "tokens of GitLab", &[after(&["glpat-", "glrt-"], Dotted, 20, 128), after(&["gldt-", "glcbt-", "glft-", "glsoat-"], Word, 20, 64), after(&["glptt-", "glagent-"], Word, 40, 64), after(&["gloas-"], Word, 40, 80), after(&["glffct-", "glimt-", "GR1348941"], Word, 20, 64), after(&["_gitlab_session="], Alnum, 32, 32)]),
    key("slack-token", "tokens of Slack", &[after(&["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-", "xoxe.xox", "xoxe-", "xapp-", "xoxo-"], Word, 11, 255)]),
    key("slack-webhook", "addresses of Slack's incoming webhooks", &[after(&["hooks.slack.com/services/"], Base64Path, 40, 64), after(&["hooks.slack.com/workflows/", "hooks.slack.com/triggers/"], Base64Path, 40, 90)]),
    own(NeverStore, "discord-token", "bot tokens of Discord"),
    key("discord-webhook", "addresses of Discord's webhooks", &[after(&["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"], Base64Path, 70, 120)]),
    key("telegram-token", "bot tokens of Telegram", &[inside((8, 12), &[":AA"], Word, (32, 34))]),
    key("stripe-key", "secret, restricted and webhook keys of Stripe", &[after(&["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"], Alnum, 10, 255), after(&["whsec_"], Base64, 24, 128)]),
    key("twilio-key", "account ids and API keys of Twilio", &[after(&["SK", "AC"], Hex, 32, 32)]),
    key("sendgrid-key", "API keys of SendGrid", &[after(&["SG."], DottedPadded, 60, 80)]),
    key("mailgun-key", "API keys of Mailgun", &[after(&["key-", "pubkey-"], Hex, 32, 32)]),
    key("mailchimp-key", "API keys of Mailchimp", &[inside((32, 32), &["-us"], Hex, (1, 2))]),
    key("brevo-key", "API keys of Brevo", &[after(&["xkeysib-"], Word, 64, 96)]),
    key("npm-token", "tokens of npm", &[after(&["npm_"], Alnum, 36, 40)]),
    key("pypi-token", "tokens of PyPI", &[after(&["pypi-AgEI", "pypi-AgEN"], Word, 50, 1024)]),
    key("rubygems-key", "API keys of RubyGems", &[after(&["rubygems_"], Hex, 48, 48)]),
    key("crates-io-token", "tokens of crates.io", &[after(&["cio"], Alnum, 32, 32)]),
    key("nuget-key", "API keys of NuGet", &[after(&["oy2"], Alnum, 43, 43)]),
    key("clojars-token", "tokens of Clojars", &[after(&["CLOJARS_"], Alnum, 60, 60)]),
    key("docker-token", "tokens of Docker Hub", &[after(&["dckr_pat_", "dckr_oat_"], Word, 24, 64)]),
    key("huggingface-token", "tokens of Hugging Face", &[after(&["hf_", "api_org_"], Alnum, 30, 40)]),
    key("groq-key", "API keys of Groq", &[after(&["gsk_"], Alnum, 40, 64)]),
    key("perplexity-key", "API keys of Perplexity", &[after(&["pplx-"], Alnum, 40, 64)]),
    key("xai-key", "API keys of xAI", &[after(&["xai-"], Alnum, 60, 100)]),
    key("replicate-token", "tokens of Replicate", &[after(&["r8_"], Alnum, 36, 40)]),
    key("pinecone-key", "API keys of Pinecone", &[after(&["pcsk_"], Word, 50, 90)]),
    key("jina-key", "API keys of Jina", &[after(&["jina_"], Word, 50, 80)]),
    key("mem0-key", "API keys of mem0", &[after(&["m0-"], Alnum, 32, 64)]),
    key("tavily-key", "API keys of Tavily", &[after(&["tvly-"], Word, 28, 64)]),
    key("langsmith-key", "API keys of LangSmith", &[after(&["lsv2_pt_", "lsv2_sk_"], Word, 32, 64)]),
    key("langfuse-key", "secret keys of Langfuse", &[after(&["sk-lf-"], Word, 32, 64)]),
    key("digitalocean-token", "tokens of DigitalOcean", &[after(&["dop_v1_", "doo_v1_", "dor_v1_"], Hex, 64, 64)]),
    key("heroku-key", "API keys of Heroku", &[after(&["HRKU-"], Word, 36, 80)]),
    key("netlify-token", "tokens of Netlify", &[after(&["nfp_"], Alnum, 36, 64)]),
    key("supabase-key", "tokens and secret keys of Supabase", &[after(&["sbp_"], Hex, 40, 40), after(&["sb_secret_"], Word, 20, 64)]),
    key("planetscale-token", "tokens and passwords of PlanetScale", &[after(&["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], DottedPadded, 32, 64)]),
    key("databricks-token", "tokens of Databricks", &[after(&["dapi"], Hex, 32, 32)]),
    key("pulumi-token", "tokens of Pulumi", &[after(&["pul-"], Hex, 40, 40)]),
    key("terraform-token", "tokens of Terraform Cloud", &[inside((14, 14), &[".atlasv1."], Base64, (60, 70))]),
    key("vault-token", "tokens of HashiCorp Vault", &[after(&["hvs."], Word, 24, 255), after(&["hvb."], Word, 24, 400)]),
    key("doppler-token", "tokens of Doppler", &[after(&["dp.pt."], Alnum, 40, 48), after(&["dp.st."], Dotted, 40, 80)]),
    key("onepassword-token", "service account tokens of 1Password", &[after(&["ops_eyJ"], Base64, 200, 2048)]),
    key("tailscale-key", "keys of Tailscale", &[after(&["tskey-auth-", "tskey-api-", "tskey-client-"], Word, 20, 80)]),
    key("grafana-token", "tokens of Grafana", &[after(&["glsa_"], Word, 41, 41), after(&["glc_"], Base64, 32, 400)]),
    key("sentry-token", "tokens of Sentry", &[after(&["sntrys_"], Base64, 60, 400), after(&["sntryu_"], Hex, 64, 64)]),
    key("newrelic-key", "keys of New Relic", &[after(&["NRAK-"], Upper, 27, 27), after(&["NRII-"], Word, 32, 32), after(&["NRAK-"], Alnum, 27, 27), after(&["NRJS-"], Hex, 19, 19)]),
    key("dynatrace-token", "tokens of Dynatrace", &[after(&["dt0c01."], Dotted, 89, 89)]),
    key("sonar-token", "tokens of SonarQube", &[after(&["sqp_", "squ_", "sqa_"], Hex, 40, 40)]),
    key("sourcegraph-token", "tokens of Sourcegraph", &[after(&["sgp_"], Word, 40, 80)]),
    key("buildkite-token", "tokens of Buildkite", &[after(&["bkua_"], Hex, 40, 40)]),
    key("circleci-token", "tokens of CircleCI", &[after(&["CCIPAT_"], Word, 40, 80)]),
    key("jfrog-key", "API keys of JFrog", &[after(&["AKCp"], Alnum, 69, 69)]),
    key("octopus-key", "API keys of Octopus Deploy", &[after(&["API-"], Upper, 26, 32)]),
    key("openshift-token", "tokens of OpenShift", &[after(&["sha256~"], Word, 43, 43)]),
    key("shopify-token", "tokens of Shopify", &[after(&["shpat_", "shpca_", "shppa_", "shpss_"], Hex, 32, 32)]),
    key("square-token", "tokens of Square", &[after(&["sq0atp-"], Word, 22, 22), after(&["sq0csp-"], Word, 43, 43), after(&["EAAA"], Word, 60, 60)]),
    key("plaid-token", "access tokens of Plaid", &[after(&["access-production-", "access-sandbox-", "access-development-"], Word, 36, 36)]),
    key("shippo-token", "tokens of Shippo", &[after(&["shippo_live_", "shippo_test_"], Hex, 40, 40)]),
    key("easypost-key", "API keys of EasyPost", &[after(&["EZAK", "EZTK"], Alnum, 54, 54)]),
    key("flutterwave-key", "secret keys of Flutterwave", &[after(&["FLWSECK-", "FLWSECK_TEST-", "FLWPUBK-", "FLWPUBK_TEST-"], Word, 12, 48)]),
    key("duffel-token", "tokens of Duffel", &[after(&["duffel_live_", "duffel_test_"], DottedPadded, 43, 43)]),
    key("alibaba-key", "access key ids of Alibaba Cloud", &[after(&["LTAI"], Alnum, 12, 26)]),
    key("tencent-key", "secret ids of Tencent Cloud", &[after(&["AKID"], Alnum, 32, 32)]),
    key("adafruit-key", "keys of Adafruit IO", &[after(&["aio_"], Alnum, 28, 28)]),
    key("airtable-token", "tokens of Airtable", &[after(&["pat"], Dotted, 79, 79)]),
    key("atlassian-token", "tokens of Atlassian", &[after(&["ATATT3", "ATCTT3"], Base64, 100, 255)]),
    key("contentful-token", "tokens of Contentful", &[after(&["CFPAT-"], Word, 43, 43)]),
    key("dropbox-token", "access tokens of Dropbox", &[after(&["sl."], DottedPadded, 100, 1500)]),
    key("figma-token", "tokens of Figma", &[after(&["figd_"], Word, 36, 64)]),
    key("linear-key", "API keys of Linear", &[after(&["lin_api_"], Alnum, 40, 40)]),
    key("notion-token", "tokens of Notion", &[after(&["ntn_"], Alnum, 40, 50), after(&["secret_"], Alnum, 43, 43)]),
    key("postman-key", "API keys of Postman", &[after(&["PMAK-"], Word, 59, 59)]),
    key("prefect-token", "tokens of Prefect", &[after(&["pnu_"], Alnum, 36, 36)]),
    key("readme-key", "API keys of ReadMe", &[after(&["rdme_"], Alnum, 70, 70)]),
    key("typeform-token", "tokens of Typeform", &[after(&["tfp_"], DottedPadded, 50, 70)]),
    key("onepassword-key", "secret keys of 1Password", &[after(&["A3-"], Dashed, 30, 36)]),
    key("adobe-secret", "client secrets of Adobe", &[after(&["p8e-"], Alnum, 32, 32)]),
    key("artifactory-token", "reference tokens of Artifactory", &[after(&["cmVmd"], Alnum, 59, 59)]),
    key("authress-key", "service client keys of Authress", &[inside((10, 60), &[".acc_", ".acc-"], Base64Path, (40, 200))]),
    key("beamer-token", "tokens of Beamer", &[after(&["b_"], DottedPadded, 44, 44)]),
    key("clickhouse-key", "secret keys of ClickHouse Cloud", &[after(&["4b1d"], Alnum, 38, 38)]),
    key("cloudflare-key", "origin CA keys of Cloudflare", &[after(&["v1.0-"], Dashed, 171, 171)]),
    key("facebook-token", "access tokens of Facebook", &[after(&["EAAM", "EAAC", "EAAG", "EAAB"], Alnum, 100, 400)]),
    key("flyio-token", "access tokens of Fly.io", &[after(&["fo1_"], Word, 43, 43), after(&["fm1a_", "fm1r_", "fm2_"], Base64, 100, 2048)]),
    key("frameio-token", "tokens of Frame.io", &[after(&["fio-u-"], DottedPadded, 64, 64)]),
    key("gocardless-token", "tokens of GoCardless", &[after(&["live_"], DottedPadded, 40, 40)]),
    key("infracost-token", "tokens of Infracost", &[after(&["ico-"], Alnum, 32, 32)]),
    key("intra42-secret", "client secrets of Intra 42", &[after(&["s-s4t2ud-", "s-s4t2af-"], Hex, 64, 64)]),
    key("lob-key", "API keys of Lob", &[after(&["live_", "test_"], Hex, 35, 35), after(&["live_pub_", "test_pub_"], Hex, 31, 31)]),
    key("mapbox-token", "tokens of Mapbox", &[after(&["pk.", "sk."], Dotted, 80, 200)]),
    key("maxmind-key", "licence keys of MaxMind", &[inside((36, 36), &["_mmk"], Word, (0, 0))]),
    key("teams-webhook", "addresses of Microsoft Teams' webhooks", &[after(&["webhook.office.com/webhookb2/"], Webhook, 60, 240)]),
    key("scalingo-token", "tokens of Scalingo", &[after(&["tk-us-"], Word, 48, 48)]),
    key("twitter-token", "bearer tokens of Twitter", &[after(&["AAAAAAAAAAAAAAAAAAAAAA"], Escaped, 80, 100)]),
    key("yandex-key", "keys and tokens of Yandex Cloud", &[after(&["t1."], DottedPadded, 88, 400), after(&["AQVN"], Word, 35, 38), after(&["YC"], Word, 38, 38)]),
    key("settlemint-token", "access tokens of SettleMint", &[after(&["sm_aat_", "sm_pat_", "sm_sat_"], Alnum, 16, 16)]),
    key("defined-token", "keys of Defined Networking", &[after(&["dnkey-"], DottedPadded, 60, 120)]),
    key("extended-key", "extended private keys of a wallet", &[after(&["xprv", "yprv", "zprv", "tprv"], Alnum, 107, 107)]),
    own(NeverStore, "wif-key", "private keys of Bitcoin in wallet import format (their check)"),
    own(NeverStore, "jwt", "JSON web tokens"),
    own(NeverStore, "private-key", "private keys in PEM, OpenSSH, PGP or PuTTY form"),
    key("age-key", "secret keys of age", &[after(&["AGE-SECRET-KEY-1"], Upper, 58, 58)]),
    own(NeverStore, "authorization", "what follows Bearer or Basic in an Authorization header"),
    own(NeverStore, "url-credentials", "the password in an address such as https://user:password@host"),
    own(NeverStore, "password", "a string without order beside a word like password, secret or token"),
    own(NeverStore, "seed-phrase", "the words of a wallet, beside a name such as seed phrase"),
    own(NeverStore, "payment-card", "payment card numbers (Luhn, ranges of the brands)"),
    own(Masked, "iban", "bank account numbers (mod 97, length of the country)"),
    own(Masked, "es-dni", "Spanish DNI and NIE"),
    number("fr-insee", "French social security numbers", 15, checks::insee, Spaced, &[]),
    own(Masked, "it-codice-fiscale", "Italian codice fiscale"),
    number("nl-bsn", "Dutch BSN, beside its name", 9, checks::bsn, Spaced, &["bsn", "burgerservice", "sofi", "citizen service"]),
    number("br-cpf", "Brazilian CPF", 11, checks::cpf, Telling(b"..-"), &["cpf"]),
    number("in-aadhaar", "Indian Aadhaar numbers, beside their name", 12, checks::aadhaar, Spaced, &["aadh", "uidai", "आधार"]),
    number("de-steuer-id", "German tax ids, beside their name", 11, checks::steuer_id, Spaced, &["steuer", "idnr", "tax id", "tin"]),
    number("pl-pesel", "Polish PESEL, beside its name", 11, checks::pesel, Whole, &["pesel"]),
    number("uk-nhs", "British NHS numbers, beside their name", 10, checks::nhs, Spaced, &["nhs"]),
    number("us-ssn", "US social security numbers, beside their name", 9, checks::ssn, Groups(&[3, 2, 4]), &["ssn", "social security"]),
    own(Allowed, "email", "e-mail addresses"),
    own(Allowed, "phone", "telephone numbers, with + or beside a word like phone"),
];

const fn key(name: &'static str, about: &'static str, forms: &'static [Form]) -> DetectorSpec {
    DetectorSpec { name, about, class: NeverStore, forms, number: None }
}

const fn number(
    name: &'static str,
    about: &'static str,
    length: usize,
    check: fn(&[u8]) -> bool,
    parting: Parting,
    beside: &'static [&'static str],
) -> DetectorSpec {
    let number = Some(NumberForm { length, check, parting, beside });
    DetectorSpec { name, about, class: Masked, forms: &[], number }
}

/// What needs code of its own.
const fn own(class: Class, name: &'static str, about: &'static str) -> DetectorSpec {
    DetectorSpec { name, about, class, forms: &[], number: None }
}

const fn after(marks: &'static [&'static str], alphabet: Alphabet, least: usize, most: usize) -> Form {
    Form { marks, before: (0, 0), alphabet, after: (least, most) }
}

const fn inside(
    before: (usize, usize),
    marks: &'static [&'static str],
    alphabet: Alphabet,
    after: (usize, usize),
) -> Form {
    Form { marks, before, alphabet, after }
}
