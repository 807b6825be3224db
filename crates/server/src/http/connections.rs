//! From a connection to its requests, none of which may take as long as it likes to be said.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, FromRequest, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::{RequestExt, Router};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::failure::{Failure, Refusal};
use crate::listen::{Arrival, Entrance, Peer};
use crate::room::{Room, Visit};

/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 128 * 1024;
/// Bytes a second of a body, after the time that any may take.
const SLOWEST_BODY: usize = 16 * 1024;

/// How long a client may take to say something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    pub(super) handshake: Duration,
    /// The head of a request, from the end of the one before.
    pub(super) head: Duration,
    pub(super) body: Duration,
}

impl Patience {
    pub(super) const USUAL: Self = Self {
        handshake: Duration::from_secs(10),
        head: Duration::from_secs(15),
        body: Duration::from_secs(15),
    };
}

/// Takes connections in until it is `ending`, and then waits for the answers under way.
pub(super) async fn serve(
    mut entrance: Entrance,
    app: Router,
    (room, patience): (Room, Patience),
    ending: CancellationToken,
) {
    let room = Arc::new(room);
    loop {
        let (arrival, peer) = tokio::select! {
            came = entrance.next() => came,
            () = ending.cancelled() => break,
        };
        // A place is taken before anything is done for who has come.
        let visit = tokio::select! {
            visit = room.enter(peer) => Arc::new(visit),
            () = ending.cancelled() => break,
        };
        let (app, ending) = (app.clone(), ending.clone());
        tokio::spawn(async move {
            let heard = hear(arrival, (peer, Arc::clone(&visit)), app, patience, &ending);
            tokio::select! {
                // What a client does to its connection is its own affair.
                heard = heard => drop(heard),
                () = visit.gives_way() => {}
            }
        });
    }
    drop(entrance);
    room.empties().await;
}

async fn hear(
    arrival: Arrival,
    who: (Peer, Arc<Visit>),
    app: Router,
    patience: Patience,
    ending: &CancellationToken,
) -> io::Result<()> {
    match arrival {
        Arrival::Plain(stream) => answer(stream, who, app, patience, ending).await,
        Arrival::Socket(stream) => answer(stream, who, app, patience, ending).await,
        Arrival::Tls(acceptor, stream) => {
            let stream = timeout(patience.handshake, acceptor.accept(stream)).await??;
            answer(stream, who, app, patience, ending).await
        }
    }
}

/// The requests of one connection, one after the other.
async fn answer(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    (peer, visit): (Peer, Arc<Visit>),
    app: Router,
    patience: Patience,
    ending: &CancellationToken,
) -> io::Result<()> {
    let app = TowerToHyperService::new(app);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(Arc::clone(&visit));
        app.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let answered = tokio::select! {
        answered = &mut connection => answered,
        () = ending.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    answered.map_err(io::Error::other)
}

/// Waits for the whole body, no longer than one of its length may take.
pub(super) async fn with_whole_body(
    State((most, patience)): State<(usize, Patience)>,
    request: Request,
    next: Next,
) -> Response {
    let length = request.body().size_hint().upper().and_then(|length| usize::try_from(length).ok());
    if length.is_some_and(|length| length > most) {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    let (head, body) = request.with_limited_body().into_parts();
    let patience = patience.body + Duration::from_secs((length.unwrap_or(most) / SLOWEST_BODY) as u64);
    match timeout(patience, Bytes::from_request(Request::new(body), &())).await {
        Ok(Ok(whole)) => next.run(Request::from_parts(head, Body::from(whole))).await,
        Ok(Err(rejection)) => rejection.into_response(),
        Err(_) => {
            let late = Failure::usage("the rest of the body did not come").hint("send the request again");
            Refusal::new(StatusCode::REQUEST_TIMEOUT, late).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::middleware::from_fn_with_state;
    use axum::routing::post;
    use mindfile::config::{self, Overrides};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;
    use crate::listen::Place;

    const SHORT: Duration = Duration::from_millis(200);
    const LONG: Duration = Duration::from_secs(600);

    /// What a client is told until its connection is closed, at a server that echoes bodies and knows whoever says `known`.
    async fn told(patience: Patience, most: usize, talk: impl AsyncFn(&str) -> TcpStream) -> String {
        let dir = tempfile::tempdir().unwrap();
        let mut overrides = Overrides { cwd: dir.path().to_owned(), ..Overrides::default() };
        overrides.flags.state_dir = Some(dir.path().to_owned());
        let settings = config::load(&overrides).unwrap().settings;
        let place = Place::Address { address: ([127, 0, 0, 1], 0).into(), insecure: false };
        let entrance = Entrance::open(&place, &settings.server).unwrap();
        let address = entrance.address().unwrap().to_string();
        let know = async |request: Request, next: Next| {
            if request.headers().contains_key("known") {
                request.extensions().get::<Arc<Visit>>().unwrap().becomes_known();
            }
            next.run(request).await
        };
        let app = Router::new()
            .route("/", post(async |body: Bytes| body))
            .layer(from_fn_with_state((100, patience), with_whole_body))
            .layer(axum::middleware::from_fn(know));
        let ending = CancellationToken::new();
        let serving = tokio::spawn(serve(entrance, app, (Room::new(most), patience), ending.clone()));
        let mut stream = talk(&address).await;
        let mut told = String::new();
        stream.read_to_string(&mut told).await.unwrap();
        ending.cancel();
        drop(stream);
        serving.await.unwrap();
        told
    }

    async fn say(address: &str, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    #[tokio::test]
    async fn nobody_takes_as_long_as_it_likes_to_say_something() {
        let head = Patience { handshake: LONG, head: SHORT, body: LONG };
        let body = Patience { handshake: LONG, head: LONG, body: SHORT };
        for (patience, said, status) in [
            (head, "", ""),
            (head, "POST / HTTP/1.1\r\nHost: a\r\n", ""),
            (head, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", "200"),
            (body, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nh", "408"),
            (body, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh", "408"),
            (body, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999\r\n\r\n", "413"),
        ] {
            let told = told(patience, 8, async |address: &str| say(address, said).await).await;
            assert_eq!(told.split(' ').nth(1).unwrap_or_default(), status, "{said:?}: {told:?}");
        }
    }

    #[tokio::test]
    async fn who_is_known_is_answered_while_others_fill_every_place_and_say_nothing() {
        let patience = Patience { handshake: LONG, head: LONG, body: LONG };
        let told = told(patience, 8, async |address: &str| {
            let head = "POST / HTTP/1.1\r\nHost: a\r\nKnown: 1\r\nContent-Length: 2\r\n";
            let mut owner = say(address, &format!("{head}\r\nhi")).await;
            owner.read_exact(&mut [0; 12]).await.unwrap();
            let mut many = Vec::new();
            for _ in 0..40 {
                many.push(say(address, "POST / HTTP/1.1\r\n").await);
            }
            owner.write_all(format!("{head}\r\nho").as_bytes()).await.unwrap();
            say(address, &format!("{head}Connection: close\r\n\r\nhu")).await
        })
        .await;
        assert!(told.starts_with("HTTP/1.1 200 ") && told.ends_with("hu"), "{told:?}");
    }
}
