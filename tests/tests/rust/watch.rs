//! `crdgen emit --watch` runs again when a source changes, shows errors, and keeps its output.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const GOOD: &str = r#"
#[derive(CustomResource, Schema)]
#[kube(group = "watch.example.com", version = "v1", kind = "Foo")]
pub struct FooSpec { pub SIZE: i32 }
mod more;
"#;

/// A package that is watched until this value is dropped.
struct Watched {
    folder: PathBuf,
    command: Child,
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.command.kill().unwrap_or_else(|e| panic!("{e}"));
        self.command.wait().unwrap_or_else(|e| panic!("{e}"));
    }
}

impl Watched {
    fn start(name: &str) -> Watched {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("watch").join(name);
        // Removes what an earlier run left behind.
        _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("src")).unwrap_or_else(|e| panic!("{e}"));
        write(&folder.join("Cargo.toml"), "[package]\nname = \"watched\"\n");
        write(&folder.join("src/lib.rs"), GOOD);
        let errors = std::fs::File::create(folder.join("errors.txt")).unwrap_or_else(|e| panic!("{e}"));
        let command = Command::new(env!("CARGO_BIN_EXE_tool"))
            .args(["emit", "--watch", "--out-dir", "out"])
            .current_dir(&folder)
            .env("NO_COLOR", "1")
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn();
        Watched { folder, command: command.unwrap_or_else(|e| panic!("{e}")) }
    }

    fn output(&self) -> String {
        std::fs::read_to_string(self.folder.join("out/watch.example.com_foos.yaml")).unwrap_or_default()
    }

    fn errors(&self) -> String {
        std::fs::read_to_string(self.folder.join("errors.txt")).unwrap_or_default()
    }

    /// Waits until a condition is true.
    #[track_caller]
    fn until(&mut self, what: &str, is_so: impl Fn(&Watched) -> bool) {
        let end = Instant::now() + Duration::from_secs(600);
        while !is_so(self) {
            let ended = self.command.try_wait().unwrap_or_else(|e| panic!("{e}"));
            assert!(ended.is_none() && Instant::now() < end, "{what}: {}\n{}", self.errors(), self.output());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Returns how often the command has finished a round.
    fn rounds(&self) -> usize {
        self.errors().matches("stop with Ctrl-C").count()
    }
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

#[test]
fn sources_are_watched() {
    let mut it = Watched::start("edits");
    let root = it.folder.join("src/lib.rs");
    it.until("the first output", |it| it.output().contains("SIZE:") && it.rounds() == 1);

    write(&root, &GOOD.replace("SIZE", "LENGTH"));
    it.until("the output of an edit", |it| it.output().contains("LENGTH:") && it.rounds() == 2);

    // An error is shown, and the output stays.
    write(&root, &GOOD.replace("i32", "Nothing"));
    it.until("a mistake is reported", |it| it.errors().contains("error[RST021]") && it.rounds() == 3);
    assert!(it.output().contains("LENGTH:"), "{}", it.output());
    write(&root, "pub struct {");
    it.until("no Rust is reported", |it| it.errors().contains("error[RST023]") && it.rounds() == 4);
    assert!(it.output().contains("LENGTH:"), "{}", it.output());

    // A new file is read.
    write(&root, &GOOD.replace("i32", "more::Inner"));
    it.until("the type is missed", |it| {
        it.errors().matches("error[RST021]").count() == 2 && it.rounds() == 5
    });
    write(&it.folder.join("src/more.rs"), "#[derive(Schema)] pub struct Inner { pub deep: bool }");
    it.until("the new file is read", |it| it.output().contains("deep:"));

    // A file may disappear.
    std::fs::remove_file(it.folder.join("src/more.rs")).unwrap_or_else(|e| panic!("{e}"));
    it.until("the type is missed again", |it| it.errors().matches("error[RST021]").count() >= 3);
    assert!(it.output().contains("deep:"), "{}", it.output());
    write(&root, GOOD);
    it.until("all is well again", |it| it.output().contains("SIZE:"));
}

/// If no kind is left in the sources, the command continues.
#[test]
fn reports_that_nothing_is_left() {
    let mut it = Watched::start("nothing");
    it.until("the first output", |it| it.rounds() == 1);
    write(&it.folder.join("src/lib.rs"), "// nothing");
    it.until("nothing is left", |it| {
        it.errors().contains("no type derives CustomResource") && it.rounds() == 2
    });
    write(&it.folder.join("src/lib.rs"), &GOOD.replace("SIZE", "AGAIN"));
    it.until("the kind is back", |it| it.output().contains("AGAIN:"));
}
