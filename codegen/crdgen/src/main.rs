//! The `crdgen` command.

fn main() -> std::process::ExitCode {
    crdgen::cli::main()
}
