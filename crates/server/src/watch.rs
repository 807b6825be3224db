//! The watcher beside the server: what it sees is indexed, and told to those who listen.

use std::sync::Arc;
use std::thread::JoinHandle;

use mindfile::watch::{self, Event, Rescan};
use mindfile::workspace::Workspace;
use mindfile_operations::Looked;

use crate::desk::Desk;

/// Watches until the hub is stopped; not at all where the settings say so.
pub(crate) fn start(desk: &Arc<Desk>, workspace: Workspace) -> Option<JoinHandle<()>> {
    if !desk.memory.settings().sync.watch {
        return None;
    }
    let desk = Arc::clone(desk);
    Some(std::thread::spawn(move || {
        let timing = watch::timing(desk.memory.settings());
        watch::run(&workspace, &timing, desk.hub.stopping(), |event| on(&desk, &event));
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
