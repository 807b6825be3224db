//! Model files from a Hugging Face server or a mirror of it: fetched once into a cache, resumed where a fetch broke off,
//! and used only if they match what the server announced.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use ureq::http::{Response, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body};

use super::endpoint::{self, is_private};
use super::local::Local;
use super::transport::{agent, header};
use super::trust;
use crate::Error;

/// Where `hf:` addresses lead when no mirror is set.
pub const HUB: &str = "https://huggingface.co";
const MOST_REDIRECTS: usize = 5;
const PATIENCE: Duration = Duration::from_secs(30);

/// A file of a repository on the hub: `hf:OWNER/REPOSITORY/FILE`, `@REVISION` after the repository if wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostedModel {
    repository: String,
    revision: String,
    file: String,
}

impl HostedModel {
    /// None if it is not an `hf:` address at all.
    pub fn parse(uri: &str) -> Result<Option<Self>, Error> {
        let Some(rest) = uri.strip_prefix("hf:") else { return Ok(None) };
        let refuse = |why| Err(Error::BadModelUri { uri: uri.to_owned(), why });
        let parts: Vec<&str> = rest.trim_start_matches('/').splitn(3, '/').collect();
        let [owner, repository, file] = parts.as_slice() else {
            return refuse("it does not name owner, repository and file");
        };
        let (repository, revision) = repository.split_once('@').unwrap_or((repository, "main"));
        let plain = |text: &str| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
            !text.is_empty()
                && text.chars().all(allowed)
                && !text.split('/').any(|part| part == ".." || part.is_empty())
        };
        if ![owner, repository, revision, file].into_iter().all(plain) {
            return refuse("only letters, digits, - _ and . are allowed in it");
        }
        Ok(Some(Self {
            repository: format!("{owner}/{repository}"),
            revision: revision.to_owned(),
            file: (*file).to_owned(),
        }))
    }

    fn url(&self, endpoint: &str) -> String {
        let Self { repository, revision, file } = self;
        format!("{}/{repository}/resolve/{revision}/{file}", endpoint.trim_end_matches('/'))
    }

    /// Where the file is kept.
    pub fn place(&self, cache: &Path) -> PathBuf {
        let revision = if self.revision == "main" { String::new() } else { format!("@{}", self.revision) };
        let name = format!("{}{revision}/{}", self.repository, self.file).replace('/', "--");
        cache.join(name)
    }
}

/// The file, fetched if it is not in the cache yet.
pub(super) fn fetch(hosted: &HostedModel, local: &Local) -> Result<PathBuf, Error> {
    let cache = &local.cache;
    let place = hosted.place(cache);
    if place.is_file() {
        return Ok(place);
    }
    std::fs::create_dir_all(cache).map_err(|error| at(cache, &error))?;
    let part = place.with_extension("part");
    let mut file = File::options();
    let mut file =
        file.create(true).truncate(false).read(true).write(true).open(&part).map_err(|e| at(&part, &e))?;
    // Of several programs that want the file, one fetches it and the others wait.
    file.lock().map_err(|error| at(&part, &error))?;
    if place.is_file() {
        return Ok(place);
    }
    let url = hosted.url(&local.endpoint);
    let client = agent(local.ca_file.as_deref())?;
    let announced =
        transfer(&client, &url, &mut file, &part).map_err(|error| by_hand(&place, &url, error))?;
    check(&mut file, &part, &announced)?;
    file.sync_all().map_err(|error| at(&part, &error))?;
    std::fs::rename(&part, &place).map_err(|error| at(&place, &error))?;
    Ok(place)
}

/// What the server said of the file.
#[derive(Default)]
struct AnnouncedFile {
    sha256: Option<String>,
    size: Option<u64>,
}

impl AnnouncedFile {
    fn learn(&mut self, response: &Response<Body>) {
        let hash =
            header(response, "x-linked-etag").map(|tag| tag.trim_start_matches("W/").trim_matches('"'));
        let hash = hash.filter(|hash| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
        self.sha256 = self.sha256.take().or_else(|| hash.map(str::to_lowercase));
        let size = header(response, "x-linked-size").and_then(|size| size.parse().ok());
        self.size = self.size.or(size);
    }
}

fn transfer(client: &Agent, url: &str, file: &mut File, part: &Path) -> Result<AnnouncedFile, Error> {
    let have = file.seek(SeekFrom::End(0)).map_err(|error| at(part, &error))?;
    let mut announced = AnnouncedFile::default();
    let response = open(client, url, have, &mut announced)?;
    // The part is already the whole: it is checked as such.
    if response.status().as_u16() == 416 {
        return Ok(announced);
    }
    let resumed = response.status().as_u16() == 206;
    if !resumed {
        file.set_len(0).and_then(|()| file.rewind()).map_err(|error| at(part, &error))?;
    }
    let length = header(&response, "content-length").and_then(|length| length.parse::<u64>().ok());
    announced.size = announced.size.or(length.map(|length| if resumed { have + length } else { length }));
    let mut body = response.into_body().into_reader();
    copy(&mut body, file, part, announced.size)?;
    Ok(announced)
}

/// Writes no more than the server announced.
fn copy(body: &mut impl Read, file: &mut File, part: &Path, size: Option<u64>) -> Result<(), Error> {
    let most = size.unwrap_or(u64::MAX);
    let mut buffer = vec![0; 1 << 16];
    let mut written = file.stream_position().map_err(|error| at(part, &error))?;
    loop {
        let read = body.read(&mut buffer).map_err(|error| broken(part, &error))?;
        if read == 0 {
            return Ok(());
        }
        written += read as u64;
        if written > most {
            return Err(Error::Download {
                path: part.to_owned(),
                why: format!("it is longer than {most} bytes"),
            });
        }
        file.write_all(&buffer[..read]).map_err(|error| at(part, &error))?;
    }
}

/// Follows redirects, which lead to a store of large files in the public network.
fn open(own: &Agent, url: &str, have: u64, announced: &mut AnnouncedFile) -> Result<Response<Body>, Error> {
    let public = Agent::with_parts(own.config().clone(), DefaultConnector::default(), PublicOnly::default());
    let mut at = url.to_owned();
    for _ in 0..=MOST_REDIRECTS {
        let client = if same_authority(url, &at) { own } else { &public };
        let mut request = client.get(&at).header("accept-encoding", "identity");
        if have > 0 {
            request = request.header("range", format!("bytes={have}-"));
        }
        let config = request.config().timeout_connect(Some(PATIENCE)).timeout_recv_response(Some(PATIENCE));
        let response =
            config.timeout_per_read(Some(PATIENCE)).build().call().map_err(|e| unreachable(url, &e))?;
        announced.learn(&response);
        match response.status().as_u16() {
            200 | 206 | 416 => return Ok(response),
            300..400 => {
                let to = header(&response, "location").unwrap_or_default();
                let refuse = |why| Error::Redirected { at: url.to_owned(), to: to.to_owned(), why };
                at = endpoint::public(&at, to).map_err(refuse)?;
            }
            status => {
                let message = refusal(status).to_owned();
                return Err(Error::Failed { at: url.to_owned(), status, message });
            }
        }
    }
    Err(Error::Redirected { at: url.to_owned(), to: at, why: "there are too many redirects" })
}

fn refusal(status: u16) -> &'static str {
    match status {
        401 | 403 => "it is not open to everybody",
        404 => "no such file",
        _ => "the server did not give it",
    }
}

fn same_authority(one: &str, other: &str) -> bool {
    let authority = |url: &str| url.parse::<Uri>().ok().and_then(|uri| uri.authority().cloned());
    authority(one) == authority(other)
}

/// Resolves no name to this machine or its network.
#[derive(Debug, Default)]
struct PublicOnly(DefaultResolver);

impl Resolver for PublicOnly {
    fn resolve(
        &self,
        uri: &Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let all = self.0.resolve(uri, config, timeout)?;
        let mut public = self.empty();
        for address in all.iter().filter(|address| !is_private(address.ip())) {
            public.push(*address);
        }
        if public.is_empty() { Err(ureq::Error::HostNotFound) } else { Ok(public) }
    }
}

fn check(file: &mut File, part: &Path, announced: &AnnouncedFile) -> Result<(), Error> {
    let refuse = |why: String| Err(Error::Download { path: part.to_owned(), why });
    let size = file.metadata().map_err(|error| at(part, &error))?.len();
    if let Some(expected) = announced.size.filter(|expected| *expected != size) {
        if size < expected {
            return refuse(format!("{size} of {expected} bytes came"));
        }
        std::fs::remove_file(part).map_err(|error| at(part, &error))?;
        return refuse(format!("it has {size} bytes instead of {expected}"));
    }
    let Some(expected) = &announced.sha256 else { return Ok(()) };
    let found = sha256(file).map_err(|error| at(part, &error))?;
    if found == *expected {
        return Ok(());
    }
    std::fs::remove_file(part).map_err(|error| at(part, &error))?;
    refuse(format!("its SHA-256 is {found} instead of {expected}"))
}

fn sha256(file: &mut File) -> std::io::Result<String> {
    file.rewind()?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        hasher.update(&buffer[..read]);
    }
}

fn unreachable(url: &str, error: &ureq::Error) -> Error {
    let at = url.to_owned();
    match trust::distrust(error) {
        Some(why) => Error::Untrusted { at, why },
        None => Error::Unreachable { at, why: error.to_string() },
    }
}

fn broken(part: &Path, error: &std::io::Error) -> Error {
    Error::Download { path: part.to_owned(), why: format!("it broke off: {error}") }
}

fn at(path: &Path, error: &std::io::Error) -> Error {
    Error::ModelFile { path: path.to_owned(), what: error.to_string() }
}

/// Says how to put the file there by hand, for machines that cannot reach the server.
fn by_hand(place: &Path, url: &str, error: Error) -> Error {
    if !matches!(error, Error::Unreachable { .. } | Error::Failed { .. }) {
        return error;
    }
    let what = format!("it is not there and cannot be fetched: {error}; put the file {url} there yourself");
    Error::ModelFile { path: place.to_owned(), what }
}
