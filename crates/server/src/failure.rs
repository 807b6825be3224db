//! Why a request was not answered, as HTTP and MCP say it.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mindfile::fault::{Explain, Fault};
use mindfile::{Denial, Error, fact, reflect, retain, session, workspace};

use crate::wire;
use mindfile_operations::spelling::Program;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        Self { status, kind, message: message.into(), hint: None }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "usage", message)
    }

    pub(crate) fn bug(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "bug", message)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn explained((status, kind): (StatusCode, &'static str), error: &dyn Explain) -> Self {
        let message = wire::with_causes(error.spelled(&Program), error);
        let hint = error.hint().map(|hint| hint.spelled(&Program));
        Self { status, kind: error.code().unwrap_or(kind), message, hint }
    }

    pub(crate) fn wire(&self) -> wire::Failed {
        wire::Failed::new(self.kind, self.message.clone(), self.hint.clone())
    }
}

impl From<session::Error> for Failure {
    fn from(error: session::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::explained(class(&error), &error)
    }
}

impl From<mindfile_care::Error> for Failure {
    fn from(error: mindfile_care::Error) -> Self {
        if let mindfile_care::Error::Memory(error) = error {
            return error.into();
        }
        Self::explained(of_fault(error.fault()), &error)
    }
}

/// The status, and the name of the class.
fn class(error: &Error) -> (StatusCode, &'static str) {
    if is_absent(error) {
        return (StatusCode::NOT_FOUND, "usage");
    }
    if is_conflict(error) {
        return (StatusCode::CONFLICT, "usage");
    }
    if matches!(
        error,
        Error::Denied(Denial::Private { .. })
            | Error::Denied(Denial::NotTheOwner { .. })
            | Error::Disabled { .. }
            | Error::Denied(Denial::Forgotten { .. })
    ) {
        return (StatusCode::FORBIDDEN, "usage");
    }
    if is_away(error) {
        return (StatusCode::SERVICE_UNAVAILABLE, "environment");
    }
    of_fault(error.fault())
}

fn of_fault(fault: Fault) -> (StatusCode, &'static str) {
    match fault {
        Fault::Caller => (StatusCode::BAD_REQUEST, "usage"),
        Fault::Environment => (StatusCode::SERVICE_UNAVAILABLE, "environment"),
        Fault::Bug => (StatusCode::INTERNAL_SERVER_ERROR, "bug"),
    }
}

fn is_absent(error: &Error) -> bool {
    matches!(
        error,
        Error::Fact(fact::Error::NoFact { .. })
            | Error::Fact(fact::Error::NoEntity { .. })
            | Error::Session(session::Error::NoSession { .. })
            | Error::Workspace(workspace::Error::Missing { .. })
    )
}

/// The workspace is not where the server was told; its callers cannot help it.
fn is_away(error: &Error) -> bool {
    use workspace::Error::{RootMissing, RootNotDirectory};
    matches!(error, Error::Workspace(RootMissing { .. } | RootNotDirectory { .. }))
}

fn is_conflict(error: &Error) -> bool {
    matches!(
        error,
        Error::Retain(retain::Error::Duplicate { .. })
            | Error::Retain(retain::Error::OtherVersion { .. })
            | Error::Reflect(reflect::Error::ChangedSince { .. })
            | Error::Fact(fact::Error::EntityExists { .. })
            | Error::Reflect(reflect::Error::NothingToUndo)
    )
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = json(self.status, &self.wire());
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
        Ok(bytes) => (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
