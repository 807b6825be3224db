//! Where the database is and how to connect to it. Only the connection's configuration holds the password.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use postgres::config::{Host, SslMode};
use zeroize::Zeroizing;

use crate::error::{unusable, with_cause};
use mindfile_index::Error;

/// The options as the settings give them.
#[derive(Clone)]
pub struct Options {
    pub url: Zeroizing<String>,
    /// For a URL without a password.
    pub password: Option<Zeroizing<String>>,
    pub agent: String,
    /// The schema that holds the tables.
    pub schema: String,
    pub pool: usize,
    /// How long to wait for a connection, and for an answer without a deadline.
    pub timeout: Duration,
    /// A PEM file with the certificate authorities to trust instead of the public ones.
    pub ca_file: Option<PathBuf>,
    /// Shelves with more rows than this are searched by the HNSW index.
    pub exact_up_to: u64,
}

/// Up to so many rows an exact scan takes a few dozen milliseconds.
pub const EXACT_UP_TO: u64 = 20_000;

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("agent", &self.agent)
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

/// The parsed options.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) config: postgres::Config,
    /// Without the password.
    pub(crate) place: String,
    pub(crate) ca_file: Option<PathBuf>,
}

const EXAMPLE: &str =
    "write it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, or without the password and set PGPASSWORD";

impl Target {
    pub(crate) fn of(options: &Options) -> Result<Self, Error> {
        let mut url = Zeroizing::new(options.url.trim().to_owned());
        for (theirs, ours) in MODES {
            url = Zeroizing::new(url.replace(theirs, ours));
        }
        let wrong = |why: String| unusable("memory.postgres.url", &why, EXAMPLE);
        let mut config: postgres::Config = url.parse().map_err(|e: postgres::Error| wrong(with_cause(&e)))?;
        if config.get_hosts().is_empty() {
            return Err(wrong("it names no host".to_owned()));
        }
        if let (None, Some(password)) = (config.get_password(), &options.password) {
            config.password(password.as_str());
        }
        let is_undecided = config.get_ssl_mode() == SslMode::Prefer && !url.contains("sslmode=prefer");
        if is_undecided && !is_local(&config) {
            config.ssl_mode(SslMode::Require);
        }
        config.connect_timeout(options.timeout);
        config.tcp_user_timeout(options.timeout);
        config.keepalives_idle(Duration::from_secs(10));
        config.application_name("mindfile");
        Ok(Self { place: place(&config, &options.schema), config, ca_file: options.ca_file.clone() })
    }
}

/// Values of `sslmode` that only other clients know, and what they mean here, where certificates are always verified.
const MODES: [(&str, &str); 3] = [
    ("sslmode=allow", "sslmode=prefer"),
    ("sslmode=verify-ca", "sslmode=require"),
    ("sslmode=verify-full", "sslmode=require"),
];

/// Whether all hosts are this machine.
fn is_local(config: &postgres::Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    })
}

fn place(config: &postgres::Config, schema: &str) -> String {
    let user = config.get_user().map_or_else(String::new, |user| format!("{user}@"));
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(path)) => path.display().to_string(),
        None => String::new(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let database = config.get_dbname().unwrap_or("");
    format!("postgresql://{user}{host}:{port}/{database}#{schema}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str) -> Result<Target, Error> {
        Target::of(&Options {
            url: Zeroizing::new(url.to_owned()),
            password: None,
            agent: "main".to_owned(),
            schema: "mindfile".to_owned(),
            pool: 4,
            timeout: Duration::from_secs(5),
            ca_file: None,
            exact_up_to: EXACT_UP_TO,
        })
    }

    #[test]
    fn a_password_is_in_no_message() {
        let secret = ["sw", "ordfish"].concat();
        let good = target(&format!("postgresql://ann:{secret}@db.example:6000/notes")).unwrap();
        assert_eq!(good.place, "postgresql://ann@db.example:6000/notes#mindfile");
        for bad in [
            "postgresql://ann:SECRET%zz@h/d?x=y",
            "postgres//ann:SECRET@x",
            "postgresql://ann:SECRET@h:port/db",
        ] {
            let bad = bad.replace("SECRET", &secret);
            let error = target(&bad).err().map(|error| error.to_string());
            assert!(error.as_ref().is_some_and(|words| !words.contains(&secret)), "{error:?}");
        }
    }

    #[test]
    fn what_leaves_the_machine_is_encrypted_unless_the_address_says_otherwise() {
        let mode = |url: &str| target(url).unwrap().config.get_ssl_mode();
        assert_eq!(mode("postgresql://u@db.example/d"), SslMode::Require);
        assert_eq!(mode("postgresql://u@db.example/d?sslmode=disable"), SslMode::Disable);
        assert_eq!(
            mode("postgresql://u@db.example/d?sslmode=verify-full&application_name=x"),
            SslMode::Require
        );
        assert_eq!(mode("postgresql://u@127.0.0.1/d"), SslMode::Prefer);
        assert_eq!(mode("host=/run/postgresql user=u dbname=d"), SslMode::Prefer);
    }
}
