//! Addresses of services: only those of the configuration are used, and an answer cannot change
//! them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ureq::http::Uri;

use crate::Error;

/// The address of a service, without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Endpoint {
    base: String,
}

impl Endpoint {
    pub(super) fn parse(address: &str) -> Result<Self, Error> {
        let refuse = |why| Err(Error::BadAddress { address: without_credentials(address), why });
        let Ok(uri) = address.trim().parse::<Uri>() else { return refuse("it cannot be read") };
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return refuse("it must begin with http:// or https://");
        }
        let Some(authority) = uri.authority() else { return refuse("it names no host") };
        if authority.as_str().contains('@') {
            return refuse("it holds a user name or password; a key belongs in remote.apiKey");
        }
        if uri.query().is_some() || address.contains('#') {
            return refuse("it has a part after ? or #");
        }
        Ok(Self { base: address.trim().trim_end_matches('/').to_owned() })
    }

    /// The address, which holds no secret.
    pub(super) fn shown(&self) -> &str {
        &self.base
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.base.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
    }

    pub(super) fn at(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }
}

/// Where a redirect from `from` leads, if it may be followed with the key: the same host, no less secure.
pub(super) fn same_host(from: &str, to: &str) -> Result<String, &'static str> {
    let (from_uri, target) = resolve(from, to)?;
    if from_uri.authority() != target.authority() {
        return Err("it is another host, and the key and the notes are meant for this one");
    }
    if from_uri.scheme() != target.scheme() {
        return Err("it is another protocol");
    }
    Ok(target.to_string())
}

/// Where a download's redirect leads, if that is a place in the public network or the host that was asked.
pub(super) fn public(from: &str, to: &str) -> Result<String, &'static str> {
    let (from_uri, target) = resolve(from, to)?;
    if from_uri.scheme_str() == Some("https") && target.scheme_str() != Some("https") {
        return Err("it is not encrypted");
    }
    let literal = target.host().map(|host| host.trim_matches(['[', ']'])).and_then(|host| host.parse().ok());
    if from_uri.authority() != target.authority() && literal.is_some_and(is_private) {
        return Err("it is a private address");
    }
    Ok(target.to_string())
}

fn resolve(from: &str, to: &str) -> Result<(Uri, Uri), &'static str> {
    let from: Uri = from.parse().map_err(|_unreadable| "it cannot be read")?;
    let absolute = match (to.starts_with('/') && !to.starts_with("//"), from.scheme_str(), from.authority()) {
        (true, Some(scheme), Some(authority)) => format!("{scheme}://{authority}{to}"),
        _ => to.to_owned(),
    };
    let target: Uri = absolute.parse().map_err(|_unreadable| "it cannot be read")?;
    if !matches!(target.scheme_str(), Some("http" | "https")) || target.host().is_none() {
        return Err("it is not a web address");
    }
    Ok((from, target))
}

/// Addresses that an answer from outside must not lead to: this machine, its network, and the metadata of clouds.
pub(super) fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_private_v4(v4),
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or_else(|| is_private_v6(v6), is_private_v4),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_unspecified()
        || address.is_broadcast()
        || address.is_multicast()
        || a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a == 198 && (b == 18 || b == 19))
        || a >= 240
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let first = address.segments()[0];
    let embedded = [0x0064, 0x2002].contains(&first);
    address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || (first & 0xfe00) == 0xfc00
        || (first & 0xffc0) == 0xfe80
        || embedded
}

fn without_credentials(address: &str) -> String {
    match (address.find("://"), address.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 <= at => {
            format!("{}…{}", &address[..scheme + 3], &address[at..])
        }
        (Some(_) | None, Some(_) | None) => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_web_address_and_holds_no_secret() {
        let check = |text: &str, expected: &str| {
            let came = Endpoint::parse(text).map_or_else(|error| error.to_string(), |at| at.at("embeddings"));
            assert_eq!(came, expected);
        };
        check("https://api.example.com/v1/", "https://api.example.com/v1/embeddings");
        check("http://127.0.0.1:11434", "http://127.0.0.1:11434/embeddings");
        let wrong = "is not the address of an embedding service:";
        check("file:///etc/passwd", &format!("\"file:///etc/passwd\" {wrong} it cannot be read"));
        check(
            "api.example.com",
            &format!("\"api.example.com\" {wrong} it must begin with http:// or https://"),
        );
        check(
            "https://me:secret@example.com",
            &format!(
                "\"https://…@example.com\" {wrong} it holds a user name or password; a key belongs in remote.apiKey"
            ),
        );
        check(
            "https://example.com/v1?key=1",
            &format!("\"https://example.com/v1?key=1\" {wrong} it has a part after ? or #"),
        );
    }

    #[test]
    fn private_addresses_are_known() {
        let private = "127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 100.64.0.1 ::1 fe80::1 fd00::1 \
                       ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 255.255.255.255 224.0.0.1 198.18.0.1";
        assert!(private.split_whitespace().all(|text| is_private(text.parse().unwrap())));
        let public = "1.1.1.1 93.184.216.34 2606:4700::1111 172.32.0.1 100.128.0.1";
        assert!(public.split_whitespace().all(|text| !is_private(text.parse().unwrap())));
    }

    #[test]
    fn redirects_stay_where_the_key_belongs() {
        let from = "https://api.example.com/v1/embeddings";
        assert_eq!(same_host(from, "/v2/embeddings").unwrap(), "https://api.example.com/v2/embeddings");
        assert_eq!(same_host(from, "https://api.example.com/x").unwrap(), "https://api.example.com/x");
        for to in [
            "http://api.example.com/x", "https://169.254.169.254/", "https://evil.example/",
            "//evil.example/", "file:///x",
        ] {
            assert!(same_host(from, to).is_err(), "{to}");
        }
        assert!(public(from, "https://cdn.example/x").is_ok());
        for to in ["http://cdn.example/x", "https://169.254.169.254/", "https://[::1]/", "https://10.0.0.1/"]
        {
            assert!(public(from, to).is_err(), "{to}");
        }
    }
}
