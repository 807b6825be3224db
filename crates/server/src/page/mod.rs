//! The page: files inside the program, and the login that lets a browser in. The token comes in the address's fragment,
//! which no server and no log sees; the page's script exchanges it for a cookie that no script can read.

mod assets;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde::Deserialize;

use crate::failure::{Failure, Refusal, json};
use crate::guard::{COOKIE, Guard, check_type, unauthorized};
use crate::listen::Peer;

/// The page holds nothing of the memory, so that it can be had without a token; what it shows is asked for with one.
pub(crate) fn routes(guard: &Arc<Guard>) -> Router {
    let login = Router::new()
        .route("/login", post(login))
        .route("/logout", post(logout))
        .with_state(Arc::clone(guard));
    login.merge(assets::routes())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Login {
    token: String,
}

async fn login(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Err(refusal) = check_type(&headers, &body) {
        return refusal.into_response();
    }
    let given: Login = match serde_json::from_slice(&body) {
        Ok(given) => given,
        Err(error) => {
            return Refusal::from(Failure::usage(format!("the body: {error}"))).into_response();
        }
    };
    if peer != Peer::Socket && !guard.token.is(given.token.trim()) {
        return unauthorized().into_response();
    }
    with_cookie(&format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", guard.token.cookie()))
}

async fn logout() -> Response {
    with_cookie(&format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"))
}

fn with_cookie(cookie: &str) -> Response {
    let mut response = json(StatusCode::OK, &serde_json::json!({"ok": true}));
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}
