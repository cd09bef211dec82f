//! What a server needs of the system.

use crdgen_files::Error;

/// The depth of the recursion over requests is limited. This stack is large enough for the deepest one.
const STACK: usize = 64 << 20;

/// The runtime for a server. Each connection is an open file, of which a process may have few at first: this raises the limit.
pub fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // With fewer files, connections wait for each other.
        _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().thread_stack_size(STACK).build().map_err(Error::Thread)
}
