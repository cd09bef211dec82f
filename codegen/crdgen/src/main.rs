//! The `crdgen` command.

/// Documents are trees of small parts: a third of the time would go to the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    crdgen::cli::main()
}
