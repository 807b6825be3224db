//! An embedder that asks the test server, with a clock that does not wait.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mindfile_model::provider::{self, Pace, Secret, Service, Timeouts, catalog};
use mindfile_model::{Embedder, Error, Outcome, Vector};

use crate::server::{KEY, Server};

/// Sleeping is written down and moves the time instead of taking it.
#[derive(Default)]
pub(crate) struct Still(Mutex<Vec<Duration>>);

impl Still {
    pub(crate) fn slept(&self) -> Vec<u128> {
        self.0.lock().unwrap().iter().map(Duration::as_millis).collect()
    }
}

impl Pace for Still {
    fn now(&self) -> Instant {
        Instant::now() + self.0.lock().unwrap().iter().sum::<Duration>()
    }

    fn sleep(&self, time: Duration) {
        self.0.lock().unwrap().push(time);
    }

    fn unix_seconds(&self) -> i64 {
        1_445_412_470
    }

    fn chance(&self) -> f64 {
        0.0
    }
}

/// A provider as it would be configured, but at the test server and with little patience.
pub(crate) fn service(server: &Server, provider: &str) -> Service {
    let spec = catalog::provider(provider).unwrap();
    let path = match provider {
        "gemini" => "/v1beta",
        "ollama" => "",
        _ => "/v1",
    };
    let patience = Duration::from_millis(600);
    Service {
        base_url: format!("{}{path}", server.url()),
        model: spec.default_model().unwrap_or("some-model").to_owned(),
        key: Secret::new(KEY).filter(|_| provider != "ollama"),
        timeouts: Timeouts { connect: patience, whole: patience },
        // The vectors of the test server are short.
        dims: Some(16),
        ..Service::of(spec)
    }
}

pub(crate) fn open(service: Service) -> (Box<dyn Embedder>, Arc<Still>) {
    let still = Arc::new(Still::default());
    (provider::open(service, Arc::clone(&still) as Arc<dyn Pace>), still)
}

/// The outcomes of documents, in their order.
pub(crate) fn outcomes(embedder: &dyn Embedder, texts: &[&str]) -> (Vec<Option<Outcome>>, Result<(), Error>) {
    let mut all = vec![None; texts.len()];
    let came = embedder.embed_each(texts, None, &mut |answers| {
        for (at, outcome) in answers {
            assert_eq!(all[at], None, "text {at} was answered twice");
            all[at] = Some(outcome);
        }
        std::ops::ControlFlow::Continue(())
    });
    (all, came)
}

/// What the server says of a text when nothing goes wrong.
pub(crate) fn truth(text: &str) -> Option<Outcome> {
    Vector::new(crate::server::vector(text, 16, 0)).ok().map(Outcome::Vector)
}
