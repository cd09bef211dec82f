//! The `crdgen` command.

/// Documents are trees of small parts. With the system's allocator, a third of the time would be spent allocating.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    crdgen_cli::main()
}
