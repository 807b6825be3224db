//! Failures over HTTP: the status follows from the class, and fields are spelled as in JSON.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mindfile_operations::Class;
use mindfile_operations::spelling::Program;

pub(crate) use mindfile_operations::Failure;

/// A request that is not answered.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    failure: Failure,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, failure: Failure) -> Self {
        Self { status, failure }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let failure = served(failure);
        Self { status: status(failure.class), failure }
    }
}

/// The callers of a server cannot help it that its workspace is away.
pub(crate) fn served(mut failure: Failure) -> Failure {
    if matches!(failure.class, Class::Away | Class::Interrupted) {
        failure.class = Class::Environment;
    }
    failure
}

pub(crate) fn status(class: Class) -> StatusCode {
    match class {
        Class::Usage => StatusCode::BAD_REQUEST,
        Class::Absent => StatusCode::NOT_FOUND,
        Class::Conflict => StatusCode::CONFLICT,
        Class::Forbidden => StatusCode::FORBIDDEN,
        Class::Away | Class::Environment | Class::Interrupted | Class::Unread => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        Class::Bug => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json(self.status, &self.failure.failed(&Program));
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer realm=\"mindfile\"");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

/// A value as the body of an answer.
pub(crate) fn json(status: StatusCode, value: &impl serde::Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => raw_json(status, bytes),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

pub(crate) fn raw_json(status: StatusCode, bytes: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}
