//! Server-sent events: the progress of the index, and changes that the watcher saw.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_core::Stream;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use crate::desk::Desk;
use crate::hub::Told;

pub(crate) async fn events(
    State((desk, ending)): State<(Arc<Desk>, CancellationToken)>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let told = desk.hub.listen();
    let stream = futures_util::stream::unfold((told, ending), |(mut told, ending)| async move {
        loop {
            let came = tokio::select! {
                came = told.recv() => came,
                () = ending.cancelled() => return None,
            };
            match came {
                Ok(one) => return Some((Ok(event(&one)), (told, ending))),
                // A slow listener misses the oldest and goes on with what is new.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

fn event(told: &Told) -> Event {
    Event::default().event(told.0).data(&told.1)
}
