//! Drives Chromium through its debugging pipe: Chromium reads commands from descriptor 3 and writes answers to
//! descriptor 4, as JSON that ends with a NUL. A shell connects them to the standard streams of the child process.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A running browser with one page. It ends when it is dropped.
pub(super) struct Browser {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    profile: PathBuf,
    session: String,
    id: u64,
    /// The events since the page was opened.
    pub(super) events: Vec<Value>,
}

impl Browser {
    /// Starts a browser, or returns why it cannot.
    fn start(name: &str) -> Result<Browser, String> {
        let program =
            program().ok_or("no Chromium: install the package chromium, or set $CRDGEN_CHROMIUM")?;
        let profile = std::env::temp_dir().join(format!("crdgen-browser-{name}-{}", std::process::id()));
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"])
            .arg(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-pipe",
                "--no-first-run",
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let input = child.stdin.take().ok_or("no pipe")?;
        let output = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        let (session, events) = (String::new(), Vec::new());
        let mut browser = Browser { child, input, output, profile, session, id: 0, events };
        let target = browser.send("Target.createTarget", json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.send("Target.attachToTarget", attach)?;
        browser.session = attached["sessionId"].as_str().ok_or("no session")?.to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.send(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(browser)
    }

    fn send(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.id += 1;
        let mut message = json!({"id": self.id, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = self.session.as_str().into();
        }
        self.input.write_all(format!("{message}\0").as_bytes()).map_err(|e| e.to_string())?;
        loop {
            let message = self.receive()?;
            if message["id"] == self.id {
                return match message.get("error") {
                    Some(error) => Err(format!("{method}: {error}")),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }

    fn receive(&mut self) -> Result<Value, String> {
        let mut bytes = Vec::new();
        self.output.read_until(0, &mut bytes).map_err(|e| e.to_string())?;
        bytes.pop().ok_or("the browser has ended")?;
        let message: Value = serde_json::from_slice(&bytes).map_err(|e| e.to_string())?;
        if message.get("id").is_none() {
            self.events.push(message.clone());
        }
        Ok(message)
    }

    /// Starts a browser, or reports that the test is skipped.
    pub(super) fn or_skip(name: &str) -> Option<Browser> {
        Browser::start(name).map_err(|why| crdgen_tests::skip(name, why)).ok()
    }

    /// Returns the problems that axe finds on the page.
    pub(super) fn violations(&mut self, axe: &str) -> Value {
        self.value(&format!("{axe}; 1"));
        self.value(
            "axe.run({ resultTypes: ['violations'] }).then((found) => found.violations
                .map((it) => it.id + ': ' + it.nodes.slice(0, 3).map((node) => node.html).join('\\n')).join('\\n'))",
        )
    }

    /// Calls a command of the browser.
    pub(super) fn call(&mut self, method: &str, params: Value) -> Value {
        self.send(method, params).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Sets the size of the window, and the colour scheme.
    pub(super) fn look(&mut self, width: u32, scheme: &str) {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"media": "screen", "features": features}));
    }

    /// Opens a file, and waits until it is loaded.
    pub(super) fn open(&mut self, file: &Path, anchor: &str) {
        // Going from one anchor to another would load nothing.
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.events.clear();
        self.call("Page.navigate", json!({"url": format!("file://{}{anchor}", file.display())}));
        while self.value("document.readyState + location.protocol") != "completefile:" {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }

    /// Evaluates an expression, and awaits its value.
    pub(super) fn value(&mut self, expression: &str) -> Value {
        let how = json!({"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true});
        let out = self.call("Runtime.evaluate", how);
        assert!(out.get("exceptionDetails").is_none(), "{expression}: {}", out["exceptionDetails"]);
        out["result"]["value"].clone()
    }

    /// Starts a new measurement of [`Browser::processor_time`].
    pub(super) fn restart_processor_time(&mut self) {
        self.call("Performance.disable", json!({}));
        self.call("Performance.enable", json!({"timeDomain": "threadTicks"}));
    }

    /// Returns how many seconds of processor time the main thread of the page has used.
    pub(super) fn processor_time(&mut self) -> f64 {
        let metrics = self.call("Performance.getMetrics", json!({}));
        let metrics = metrics["metrics"].as_array().expect("metrics");
        let tasks = metrics.iter().find(|metric| metric["name"] == "TaskDuration");
        tasks.and_then(|metric| metric["value"].as_f64()).expect("the duration of all tasks")
    }

    /// Presses a key, in the way that a keyboard does.
    pub(super) fn press(&mut self, key: &str, code: u32, text: &str) {
        for ty in ["keyDown", "keyUp"] {
            let text = if ty == "keyDown" { text } else { "" };
            self.call(
                "Input.dispatchKeyEvent",
                json!({"type": ty, "key": key, "windowsVirtualKeyCode": code, "text": text}),
            );
        }
    }

    /// Takes a picture of the whole page if `$CRDGEN_SCREENSHOTS` is a folder.
    pub(super) fn screenshot(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("CRDGEN_SCREENSHOTS") else { return };
        let height = self.value("Math.min(document.documentElement.scrollHeight, 4000)");
        let width = self.value("innerWidth");
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
        let shot = self.call("Page.captureScreenshot", json!({"captureBeyondViewport": true, "clip": clip}));
        let data = shot["data"].as_str().expect("a picture");
        fs::create_dir_all(&folder).expect("a folder");
        let file = Path::new(&folder).join(format!("{name}.png"));
        fs::write(file, base64(data)).expect("a file");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.clear();
        let _ = self.send("Browser.close", json!({}));
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

/// Returns the script that checks accessibility. Prints why if there is none.
pub(super) fn axe() -> Option<String> {
    let Some(axe) = std::env::var_os("CRDGEN_AXE") else {
        crdgen_tests::skip("accessibility", "$CRDGEN_AXE does not name axe.min.js (npm install axe-core)");
        return None;
    };
    Some(fs::read_to_string(axe).expect("$CRDGEN_AXE is a file"))
}

fn program() -> Option<PathBuf> {
    if let Some(program) = std::env::var_os("CRDGEN_CHROMIUM") {
        return Some(program.into());
    }
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name))).find(|file| file.is_file())
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |b: u8| match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for b in text.bytes().filter(|b| *b != b'=') {
        bits = bits << 6 | u32::from(digit(b));
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}
