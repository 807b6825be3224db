//! How many connections may be open. Where there is no room, the oldest that has shown no token gives way: whoever opens
//! many and says nothing pushes out its own.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Resource, getrlimit};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::listen::Peer;

/// Connections at the same time, where the process may open that many files.
const MOST: usize = 1024;

pub(crate) struct Room {
    most: usize,
    /// Of one network that have shown no token.
    most_of_one: usize,
    visits: Mutex<Visits>,
    left: Notify,
}

#[derive(Default)]
struct Visits {
    came: u64,
    /// By the order in which they came.
    open: BTreeMap<u64, Visitor>,
}

struct Visitor {
    /// None: a process of the same user, by a socket.
    network: Option<IpAddr>,
    is_known: bool,
    leave: CancellationToken,
}

/// A connection's place, for as long as it has one.
pub(crate) struct Visit {
    room: Arc<Room>,
    number: u64,
    leave: CancellationToken,
}

impl Room {
    /// Half of the files that this process may open; the other half is for what is asked.
    pub(crate) fn of_this_process() -> Self {
        let files = getrlimit(Resource::Nofile).current.and_then(|most| usize::try_from(most).ok());
        Self::new(files.map_or(MOST, |files| (files / 2).clamp(2, MOST)))
    }

    pub(crate) fn new(most: usize) -> Self {
        Self { most, most_of_one: most / 2, visits: Mutex::default(), left: Notify::new() }
    }

    /// A place for who has come; waits while everybody inside has shown the token.
    pub(crate) async fn enter(self: &Arc<Self>, peer: Peer) -> Visit {
        loop {
            if let Some(visit) = self.try_enter(peer) {
                return visit;
            }
            self.left.notified().await;
        }
    }

    fn try_enter(self: &Arc<Self>, peer: Peer) -> Option<Visit> {
        let network = match peer {
            Peer::Address(address) => Some(network(address.ip())),
            Peer::Socket => None,
        };
        let mut visits = self.visits();
        let strangers = || visits.open.iter().filter(|(_, visitor)| !visitor.is_known);
        let of_one =
            || strangers().filter(|(_, visitor)| visitor.network == network).map(|(number, _)| *number);
        let gives_way = if of_one().count() >= self.most_of_one {
            of_one().next()
        } else if visits.open.len() >= self.most {
            Some(strangers().next().map(|(number, _)| *number)?)
        } else {
            None
        };
        if let Some(gone) = gives_way.and_then(|number| visits.open.remove(&number)) {
            gone.leave.cancel();
        }
        let (number, leave) = (visits.came, CancellationToken::new());
        visits.came += 1;
        let visitor = Visitor { network, is_known: network.is_none(), leave: leave.clone() };
        visits.open.insert(number, visitor);
        Some(Visit { room: Arc::clone(self), number, leave })
    }

    /// Waits until nobody is inside.
    pub(crate) async fn empties(&self) {
        while !self.visits().open.is_empty() {
            self.left.notified().await;
        }
    }

    fn visits(&self) -> MutexGuard<'_, Visits> {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Visit {
    /// It has shown the token, and gives way to nobody.
    pub(crate) fn becomes_known(&self) {
        if let Some(visitor) = self.room.visits().open.get_mut(&self.number) {
            visitor.is_known = true;
        }
    }

    /// Waits until it has to give way.
    pub(crate) async fn gives_way(&self) {
        self.leave.cancelled().await;
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.room.visits().open.remove(&self.number);
        self.room.left.notify_one();
    }
}

/// Who has one address of IPv6 has the 64 bits behind it, too.
fn network(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => IpAddr::V6(Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX))),
        ip @ IpAddr::V4(_) => ip,
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    fn from(ip: &str) -> Peer {
        Peer::Address(SocketAddr::new(ip.parse().unwrap(), 1))
    }

    fn stays(visit: &Visit) -> bool {
        !visit.leave.is_cancelled()
    }

    #[test]
    fn who_opens_many_pushes_out_its_own_oldest() {
        let room = Arc::new(Room::new(8));
        let other = room.try_enter(from("10.0.0.2")).unwrap();
        let many: Vec<_> = (0..6).map(|_| room.try_enter(from("10.0.0.1")).unwrap()).collect();
        let staying: Vec<_> = many.iter().map(stays).collect();
        assert_eq!(staying, [false, false, true, true, true, true]);
        assert!(stays(&other));
    }

    #[test]
    fn who_has_shown_the_token_stays_when_it_is_full() {
        let room = Arc::new(Room::new(4));
        let owner = room.try_enter(from("10.0.0.1")).unwrap();
        owner.becomes_known();
        let many: Vec<_> = (0..9).map(|at| room.try_enter(from(&format!("10.0.1.{at}"))).unwrap()).collect();
        assert!(stays(&owner));
        assert_eq!(many.iter().filter(|visit| stays(visit)).count(), 3);
        for visit in &many[6..] {
            visit.becomes_known();
        }
        assert!(room.try_enter(from("10.0.2.1")).is_none(), "everybody inside is known");
        drop(owner);
        assert!(room.try_enter(from("10.0.2.1")).is_some());
    }

    #[test]
    fn addresses_of_one_network_count_as_one() {
        let room = Arc::new(Room::new(4));
        let one = room.try_enter(from("2001:db8::1")).unwrap();
        let _two = room.try_enter(from("2001:db8::2")).unwrap();
        let _three = room.try_enter(from("2001:db8::3")).unwrap();
        assert!(!stays(&one));
        assert_eq!(network("::ffff:10.0.0.1".parse().unwrap()), network("10.0.0.1".parse().unwrap()));
    }
}
