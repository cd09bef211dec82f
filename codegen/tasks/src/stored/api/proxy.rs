//! `kubectl proxy`, on a socket that only this user can reach.

use std::io;

use crdgen_files::Error;
#[cfg(unix)]
pub(super) use unix::{Proxy, Stream};

/// The timeout is long because a server waits half a minute for a webhook, and may do so several times for an object.
#[cfg(unix)]
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(150);

#[cfg(unix)]
mod unix {
    use super::{Error, TIMEOUT, io};
    use std::fs::DirBuilder;
    use std::io::{BufRead, BufReader, Read};
    use std::os::unix::fs::DirBuilderExt;
    use std::os::unix::net::UnixStream;
    use std::path::PathBuf;
    use std::process::{Child, Command, Stdio};
    use std::sync::atomic::{AtomicUsize, Ordering};

    pub(in super::super) type Stream = UnixStream;

    /// A script that ends kubectl and removes its files when the script's own input ends. This happens however crdgen
    /// ends. Signals from the terminal reach the script as well, but it still has to clean up.
    const KEEPER: &str = r#"trap "" INT HUP TERM
dir=$1; shift
kubectl "$@" &
exec >&- 2>&-
read -r _
kill $!
rm -f "$dir/socket"; rmdir "$dir""#;

    /// A running proxy, which ends when it is dropped.
    pub(in super::super) struct Proxy {
        keeper: Child,
        socket: PathBuf,
    }

    impl Proxy {
        pub(in super::super) fn start(context: Option<&str>) -> Result<Proxy, Error> {
            static NUMBER: AtomicUsize = AtomicUsize::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let dir = std::env::temp_dir().join(format!("crdgen-{}-{number}", std::process::id()));
            // Anyone who reaches the socket acts as this user in the cluster.
            DirBuilder::new().mode(0o700).create(&dir).map_err(Error::file(&dir))?;
            let socket = dir.join("socket");
            let mut command = Command::new("sh");
            command.args(["-c", KEEPER, "sh"]).arg(&dir);
            if let Some(context) = context {
                command.arg("--context").arg(context);
            }
            command.arg("proxy").arg("--unix-socket").arg(&socket);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let help = Some("crdgen starts `kubectl proxy` with it");
            let keeper = command.spawn().map_err(|source| {
                let _ = std::fs::remove_dir(&dir);
                Error::NoProgram { program: "sh", source, help }
            })?;
            let mut proxy = Proxy { keeper, socket };
            proxy.wait_until_ready()?;
            Ok(proxy)
        }

        /// Waits until kubectl prints where it listens. If kubectl ends instead, its output has the reason.
        fn wait_until_ready(&mut self) -> Result<(), Error> {
            let mut line = String::new();
            if let Some(out) = self.keeper.stdout.take() {
                let _ = BufReader::new(out.take(4096)).read_line(&mut line);
            }
            let mut stderr = self.keeper.stderr.take();
            if line.is_empty() {
                let mut text = Vec::new();
                let _ = stderr.map(|stderr| stderr.take(4096).read_to_end(&mut text));
                let why = String::from_utf8_lossy(&text).trim().to_owned();
                return Err(Error::Program { command: "kubectl proxy".to_owned(), why });
            }
            // kubectl prints a line for each failure, and would block if nothing read its output.
            std::thread::Builder::new()
                .spawn(move || stderr.as_mut().map(|stderr| io::copy(stderr, &mut io::sink())))
                .map_err(Error::Thread)?;
            Ok(())
        }

        pub(in super::super) fn connect(&self) -> io::Result<Stream> {
            let stream = UnixStream::connect(&self.socket)?;
            stream.set_read_timeout(Some(TIMEOUT))?;
            stream.set_write_timeout(Some(TIMEOUT))?;
            Ok(stream)
        }
    }

    impl Drop for Proxy {
        fn drop(&mut self) {
            drop(self.keeper.stdin.take());
            let _ = self.keeper.wait();
        }
    }
}

#[cfg(not(unix))]
pub(super) type Stream = std::net::TcpStream;

/// Other systems have no such socket. A port would be open to every user of the machine, with the rights of kubectl's
/// user.
#[cfg(not(unix))]
pub(super) struct Proxy(std::convert::Infallible);

#[cfg(not(unix))]
impl Proxy {
    pub(super) fn start(_: Option<&str>) -> Result<Proxy, Error> {
        let why = "this needs a system with Unix sockets, such as Linux, macOS or WSL";
        Err(Error::Argument(why.to_owned()))
    }

    pub(super) fn connect(&self) -> io::Result<Stream> {
        match self.0 {}
    }
}
