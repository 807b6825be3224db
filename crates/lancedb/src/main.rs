//! mindfile with the engine LanceDB: the same command line, which may keep its index there.

use std::process::ExitCode;

fn main() -> ExitCode {
    mindfile_lancedb::provide();
    mindfile_cli::run()
}
