//! Small objects beside the tables, such as heads and locks, in the same folder or bucket.

use std::sync::Arc;

use futures_util::TryStreamExt;
use lance_core::Error as LanceError;
use lance_io::object_store::{ObjectStore, ObjectStoreParams, ObjectStoreRegistry, StorageOptionsAccessor};
use object_store::ObjectStoreExt;
use object_store::path::Path;

use crate::options::Target;

#[derive(Clone)]
pub(crate) struct Objects {
    store: Arc<ObjectStore>,
    root: Path,
}

impl Objects {
    pub(crate) async fn open(target: Target, registry: Arc<ObjectStoreRegistry>) -> Result<Self, LanceError> {
        let accessor = StorageOptionsAccessor::with_static_options(target.options);
        let params =
            ObjectStoreParams { storage_options_accessor: Some(Arc::new(accessor)), ..Default::default() };
        let (store, root) = ObjectStore::from_uri_and_params(registry, &target.uri, &params).await?;
        Ok(Self { store, root })
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.root.clone(), |path, part| path.join(part))
    }

    /// The names in a folder; "" is the agent's folder.
    pub(crate) async fn list(&self, folder: &str) -> Result<Vec<String>, LanceError> {
        let path = if folder.is_empty() { self.root.clone() } else { self.path(folder) };
        self.store.read_dir(path).await
    }

    pub(crate) async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, LanceError> {
        match self.store.inner.get(&self.path(name)).await {
            Ok(found) => Ok(Some(found.bytes().await?.to_vec())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Creates an object and returns whether it is new: of many who try, one succeeds.
    pub(crate) async fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool, LanceError> {
        match self.store.put_if_absent(&self.path(name), bytes.into()).await {
            Ok(()) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn delete(&self, name: &str) -> Result<(), LanceError> {
        match self.store.inner.delete(&self.path(name)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn delete_folder(&self, name: &str) -> Result<(), LanceError> {
        match self.store.remove_dir_all(self.path(name)).await {
            Err(LanceError::NotFound { .. }) => Ok(()),
            result => result,
        }
    }

    /// The size of everything.
    pub(crate) async fn size(&self) -> Result<u64, LanceError> {
        self.store
            .list(Some(self.root.clone()))
            .try_fold(0, |sum, one| async move { Ok(sum + one.size) })
            .await
    }
}
