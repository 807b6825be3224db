//! `mindfile serve` and `mindfile mcp`

use std::net::{IpAddr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config::{Configuration, Server};
use mindfile::lookout::Lookout;
use mindfile::origin::Door;
use mindfile::session::ChatType;
use mindfile_server::mcp::Offer;
use mindfile_server::{Desk, Error, Listening, Place, Terms, Token};
use serde::Serialize;

use super::Run;
use crate::arguments::{Mcp, Serve, Tools, Which};
use crate::environment;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, Screen};

pub(super) fn run(asked: &Serve, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let loaded = environment::load(run.globals, run.screen)?;
    let terms = Terms {
        place: place(asked, &loaded.settings.server)?,
        heartbeat: heartbeat(asked),
        offer: offer(&asked.offer),
    };
    let chat = asked.chat_type.map(Into::into).unwrap_or_default();
    let stop = interrupt::listen()?;
    if asked.attached {
        interrupt::when_input_ends();
    }
    let lookout = Arc::default();
    let command = command(run)?;
    let [people, agents] =
        [Door::Http, Door::Mcp].map(|door| desk(&loaded, door, (chat, command.as_str()), &lookout));
    let mut told = Ok(());
    mindfile_server::serve(&people, &agents, &terms, stop, |listening| {
        told = tell(listening, &terms.place, &loaded, run.screen);
    })?;
    told?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn mcp(asked: &Mcp, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let loaded = environment::load(run.globals, run.screen)?;
    let chat = asked.chat_type.map(Into::into).unwrap_or_default();
    let stop = interrupt::listen()?;
    let desk = desk(&loaded, Door::Mcp, (chat, command(run)?.as_str()), &Arc::default());
    mindfile_server::mcp::over_stdio(&desk, offer(&asked.offer), stop)?;
    Ok(ExitCode::SUCCESS)
}

/// What a person types to reach the memory that is served.
fn command(run: &Run<'_>) -> Result<String, Failure> {
    let program = environment::program(&environment::overrides(run.globals)?, None)?;
    Ok(format!("{}{}", program.shell, program.shell_flags))
}

fn desk(
    loaded: &Configuration,
    door: Door,
    (chat, command): (ChatType, &str),
    lookout: &Arc<Lookout>,
) -> Arc<Desk> {
    let memory = Memory::new(loaded.settings.clone(), Box::new(System)).through(door);
    Desk::new(memory.watched_by(lookout), loaded.warnings.clone(), command.to_owned(), chat)
}

fn offer(asked: &Tools) -> Offer {
    Offer { all: asked.tools == Which::All, whole: asked.output_schema }
}

fn heartbeat(asked: &Serve) -> Option<Duration> {
    (!asked.no_heartbeat).then_some(asked.heartbeat.0)
}

fn place(asked: &Serve, settings: &Server) -> Result<Place, Failure> {
    if let Some(path) = &asked.socket {
        return Ok(Place::Socket(path.clone()));
    }
    let unknown = || Error::NotAnAddress { host: settings.host.clone() };
    let configured = || match settings.host.as_str() {
        "localhost" => Some(IpAddr::from([127, 0, 0, 1])),
        host => host.parse().ok(),
    };
    let ip = asked.host.or_else(configured).ok_or_else(unknown)?;
    let address = SocketAddr::new(ip, asked.port.unwrap_or(settings.port));
    Ok(Place::Address { address, insecure: asked.insecure_http })
}

fn tell(
    listening: &Listening,
    place: &Place,
    loaded: &Configuration,
    screen: &Screen,
) -> Result<(), Failure> {
    let scheme = if listening.tls { "https" } else { "http" };
    let url = listening.address.map(|address| format!("{scheme}://{address}/"));
    let socket = match place {
        Place::Socket(path) => Some(path.display().to_string()),
        Place::Address { .. } => None,
    };
    let token_file = Token::path(&loaded.settings.state_dir).display().to_string();
    if screen.json {
        return Ok(output::json_line(&Listens { ok: true, url, socket, token_file })?);
    }
    let at = url.clone().or(socket).unwrap_or_default();
    screen.say(&format!("Listening at {at} (Ctrl-C ends it); the token is in {token_file}"));
    // The address with the token in it is for the person at the terminal, not for logs.
    match url {
        Some(url) if screen.is_terminal() => {
            output::text(&format!("Open {url}#token={}\n", listening.token.text()))?;
        }
        Some(_) | None => {}
    }
    Ok(())
}

/// Where it listens.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listens {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    socket: Option<String>,
    token_file: String,
}
