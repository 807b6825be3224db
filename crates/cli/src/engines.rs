//! The engines that this program brings beside the built-in one.

use std::sync::Arc;

use mindfile::backend::{self, Backend, Error, Purpose};
use mindfile::config::{BackendName, Settings};
use mindfile_postgres::{EXACT_UP_TO, Options, PostgresIndex};
use zeroize::Zeroizing;

pub(crate) fn provide() {
    backend::provide(BackendName::Postgres, postgres);
}

fn postgres(settings: &Settings, purpose: Purpose) -> Result<Option<Arc<dyn Backend>>, Error> {
    let options = options(settings)?;
    Ok(match purpose {
        Purpose::Use => Some(Arc::new(PostgresIndex::open(&options)?)),
        Purpose::Look => PostgresIndex::look(&options)?.map(|index| Arc::new(index) as Arc<dyn Backend>),
    })
}

fn options(settings: &Settings) -> Result<Options, Error> {
    let postgres = &settings.postgres;
    let url = postgres.url.as_ref().ok_or_else(|| Error::Unusable {
        engine: BackendName::Postgres.as_str(),
        place: "memory.postgres.url".to_owned(),
        why: "it is not set".to_owned(),
        hint:
            "mindfile config set memory.postgres.url postgresql://USER:PASSWORD@HOST:PORT/DATABASE, or set \
               MINDFILE_POSTGRES_URL"
                .to_owned(),
    })?;
    Ok(Options {
        url: Zeroizing::new(url.reveal().to_owned()),
        password: postgres.password.as_ref().map(|password| Zeroizing::new(password.reveal().to_owned())),
        agent: settings.agent.to_string(),
        schema: postgres.schema.clone(),
        pool: postgres.pool_size,
        timeout: postgres.timeout,
        ca_file: postgres.ca_file.clone(),
        exact_up_to: EXACT_UP_TO,
    })
}
