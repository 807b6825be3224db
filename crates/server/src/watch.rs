//! The watcher beside the server: what it sees is indexed, and told to those who listen.

use std::sync::Arc;
use std::thread::JoinHandle;

use mindfile::ingest::neighbour;
use mindfile::watch::{self, Event, Rescan};
use mindfile::workspace::Workspace;
use mindfile_operations::Looked;

use crate::desk::Desk;

/// The same beside a conversation with one agent.
pub(crate) fn start_for_agent(desk: &Arc<Desk>) -> Option<JoinHandle<()>> {
    // Without a workspace there is nothing to watch; the first question says so.
    start(desk, desk.memory.workspace().ok()?)
}

/// An agent has come: where its questions do not look at the notes themselves, somebody does for them, once.
pub(crate) fn session_began(desk: &Arc<Desk>) {
    let settings = desk.memory.settings();
    if settings.off.is_none() && settings.sync.on_session_start && !settings.sync.on_search {
        let desk = Arc::clone(desk);
        std::thread::spawn(move || look(&desk));
    }
}

/// Watches until the hub is stopped; not at all where the settings say so.
pub(crate) fn start(desk: &Arc<Desk>, workspace: Workspace) -> Option<JoinHandle<()>> {
    let timing = watch::timing(desk.memory.settings())?;
    let desk = Arc::clone(desk);
    Some(std::thread::spawn(move || {
        let (lookout, stop) = (&desk.memory.lookout, desk.hub.stopping());
        std::thread::scope(|scope| {
            // Where no socket can be made, other processes look for themselves.
            scope.spawn(|| neighbour::tell(&desk.memory, stop).ok());
            watch::run(&workspace, lookout, &timing, stop, |event| on(&desk, &event));
        });
    }))
}

fn on(desk: &Desk, event: &Event) {
    match event {
        Event::Degraded { reason } => desk.hub.tell(&Looked::Degraded { reason: reason.to_string() }),
        Event::Rescan { reason: reason @ Rescan::Overflow } => {
            desk.hub.tell(&Looked::Rescanned { reason: reason.to_string() });
            look(desk);
        }
        Event::Rescan { reason: Rescan::Started | Rescan::Folders } | Event::Look => look(desk),
    }
}

/// What fails is told by the hub, and the next look tries again. Where somebody indexes already, that sees the change,
/// or the next search does.
fn look(desk: &Desk) {
    if let Some(running) = desk.hub.begin() {
        running.index(&desk.memory, false);
    }
}
