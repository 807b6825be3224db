//! The files of the page. They are inside the program, so that nothing has to be installed and nothing is fetched from
//! elsewhere.

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};

/// One file of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! asset {
    ($path:literal, $kind:expr) => {
        Asset {
            path: concat!("/page/", $path),
            kind: $kind,
            bytes: include_bytes!(concat!("../../page/", $path)),
        }
    };
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const FONT: &str = "font/woff2";
const TEXT: &str = "text/plain; charset=utf-8";

const ASSETS: &[Asset] = &[
    Asset { path: "/", kind: HTML, bytes: include_bytes!("../../page/index.html") },
    asset!("icon.svg", PICTURE),
    asset!("fonts/inter.woff2", FONT),
    asset!("fonts/mono.woff2", FONT),
    asset!("fonts/OFL.txt", TEXT),
    asset!("style.css", STYLE),
    asset!("parts.css", STYLE),
    asset!("views.css", STYLE),
    asset!("api.js", SCRIPT),
    asset!("app.js", SCRIPT),
    asset!("banner.js", SCRIPT),
    asset!("dialog.js", SCRIPT),
    asset!("dom.js", SCRIPT),
    asset!("icons.js", SCRIPT),
    asset!("keys.js", SCRIPT),
    asset!("login.js", SCRIPT),
    asset!("paper.js", SCRIPT),
    asset!("parts.js", SCRIPT),
    asset!("rail.js", SCRIPT),
    asset!("theme.js", SCRIPT),
    asset!("words.js", SCRIPT),
    asset!("views/agents.js", SCRIPT),
    asset!("views/ask.js", SCRIPT),
    asset!("views/editor.js", SCRIPT),
    asset!("views/fact.js", SCRIPT),
    asset!("views/facts.js", SCRIPT),
    asset!("views/first.js", SCRIPT),
    asset!("views/forces.js", SCRIPT),
    asset!("views/forget.js", SCRIPT),
    asset!("views/given.js", SCRIPT),
    asset!("views/gone.js", SCRIPT),
    asset!("views/graph.js", SCRIPT),
    asset!("views/health.js", SCRIPT),
    asset!("views/hosts.js", SCRIPT),
    asset!("views/merge.js", SCRIPT),
    asset!("views/notes.js", SCRIPT),
    asset!("views/reader.js", SCRIPT),
    asset!("views/sessions.js", SCRIPT),
    asset!("views/talk.js", SCRIPT),
    asset!("views/timeline.js", SCRIPT),
    asset!("views/trust.js", SCRIPT),
];

/// Nothing from elsewhere, no script but the page's own files, and no text that becomes markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                      connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

pub(super) fn routes() -> Router {
    ASSETS.iter().fold(Router::new(), |all, asset| {
        let tag = tag(asset.bytes);
        all.route(asset.path, get(async move |headers: HeaderMap| serve(asset, &tag, &headers)))
    })
}

/// A browser asks each time whether the file is still the same, and need not load it again if it is.
fn serve(asset: &Asset, tag: &HeaderValue, headers: &HeaderMap) -> Response {
    let same = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag);
    let mut response = if same {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, asset.kind)], asset.bytes).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag.clone());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

fn tag(bytes: &[u8]) -> HeaderValue {
    let digest = crate::token::hex(&Sha256::digest(bytes)[..12]);
    HeaderValue::from_str(&format!("\"{digest}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("page")
    }

    fn files(below: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(below).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }

    fn text(asset: &Asset) -> &str {
        std::str::from_utf8(asset.bytes).unwrap()
    }

    /// What a browser reads as text of the page; the licence of the fonts is for people.
    fn written() -> impl Iterator<Item = &'static Asset> {
        ASSETS.iter().filter(|asset| asset.kind != FONT && asset.kind != TEXT)
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let on_disk: BTreeSet<String> = files(&folder())
            .iter()
            .map(|path| format!("/page/{}", path.strip_prefix(folder()).unwrap().display()))
            .map(|path| path.replace("/page/index.html", "/"))
            .collect();
        let served: BTreeSet<String> = ASSETS.iter().map(|asset| asset.path.to_owned()).collect();
        assert_eq!(served, on_disk);
    }

    #[test]
    fn what_a_file_of_the_page_loads_is_served() {
        let served: BTreeSet<&str> = ASSETS.iter().map(|asset| asset.path).collect();
        for asset in written() {
            let base = asset.path.rsplit_once('/').unwrap().0;
            for line in text(asset).lines().filter(|line| line.starts_with("import ")) {
                let named = line.split('"').nth(1).unwrap();
                let named = match named.strip_prefix("../") {
                    Some(above) => format!("{}/{above}", base.rsplit_once('/').unwrap().0),
                    None => format!("{base}/{}", named.strip_prefix("./").unwrap()),
                };
                assert!(served.contains(named.as_str()), "{}: {named}", asset.path);
            }
        }
        let html = text(&ASSETS[0]);
        let loaded = html.split(['"', '\'']).filter(|word| word.starts_with("/page/"));
        assert!(loaded.map(|word| assert!(served.contains(word), "{word}")).count() > 3);
    }

    #[test]
    fn every_script_is_loaded_ahead() {
        let html = text(&ASSETS[0]);
        for asset in ASSETS.iter().filter(|asset| asset.kind == SCRIPT && asset.path != "/page/app.js") {
            let wanted = format!("<link rel=\"modulepreload\" href=\"{}\">", asset.path);
            assert!(html.contains(&wanted), "{wanted}");
        }
    }

    /// A text of a note reaches the page as text, and nothing is asked of another place.
    #[test]
    fn no_file_of_the_page_makes_markup_of_text_or_names_another_place() {
        const FORBIDDEN: [&str; 14] = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
            "srcdoc", "DOMParser", "createContextualFragment", "style=", "javascript:", "https://",
            "@import", "url(",
        ];
        for asset in written() {
            let text =
                text(asset).replace("http://www.w3.org/2000/svg", "").replace("url(\"/page/fonts/", "");
            for word in FORBIDDEN.iter().chain(&["http://", " onclick=", " onload="]) {
                assert!(!text.contains(word), "{} has {word}", asset.path);
            }
        }
    }

    #[test]
    fn the_fonts_are_small_and_come_with_their_licence() {
        let fonts = ASSETS.iter().filter(|asset| asset.kind == FONT);
        assert!(fonts.map(|asset| asset.bytes.len()).sum::<usize>() <= 120_000);
        let licence = ASSETS.iter().find(|asset| asset.kind == TEXT).unwrap();
        assert!(text(licence).contains("SIL OPEN FONT LICENSE Version 1.1"));
    }

    #[test]
    fn a_file_that_is_known_is_not_sent_again() {
        let asset = &ASSETS[1];
        let tag = tag(asset.bytes);
        let first = serve(asset, &tag, &HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, first.headers()[header::ETAG].clone())]);
        assert_eq!(serve(asset, &tag, &known).status(), StatusCode::NOT_MODIFIED);
    }
}
