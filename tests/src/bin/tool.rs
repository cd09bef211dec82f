//! The `crdgen` command as a program of this package, for tests that run it as users do. Cargo builds a package's own
//! programs before its tests.

fn main() -> std::process::ExitCode {
    crdgen_cli::main()
}
