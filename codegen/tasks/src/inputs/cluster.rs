//! The CRDs of a running cluster, through kubectl, because it knows every way to log in, and users of a cluster have
//! it.

use crdgen_files::Error;
use std::process::{Command, Stdio};

/// Returns what `kubectl get crd` prints as JSON for these CRDs, or for all CRDs.
pub fn definitions(names: &[String], context: Option<&str>) -> Result<Vec<u8>, Error> {
    let mut args = vec!["get", "customresourcedefinitions.apiextensions.k8s.io", "--output=json"];
    if names.is_empty() {
        args.push("--ignore-not-found");
    }
    // A name may begin with `-`.
    args.push("--");
    args.extend(names.iter().map(String::as_str));
    kubectl(&args, context)
}

/// The OpenAPI v3 document of a group and version, such as `apps/v1`, or `v1` for the core.
pub fn openapi(group_version: &str, context: Option<&str>) -> Result<Vec<u8>, Error> {
    let root = if group_version.contains('/') { "apis" } else { "api" };
    kubectl(&["get", "--raw", &format!("/openapi/v3/{root}/{group_version}")], context)
}

fn kubectl(args: &[&str], context: Option<&str>) -> Result<Vec<u8>, Error> {
    let mut command = Command::new("kubectl");
    if let Some(context) = context {
        command.arg("--context").arg(context);
    }
    command.args(args).stdin(Stdio::null()).stderr(Stdio::piped());
    let out = command.output().map_err(|e| {
        let help = Some("crdgen reads from the cluster with kubectl: install it, and add it to the PATH");
        Error::NoProgram { program: "kubectl", source: e, help }
    })?;
    if !out.status.success() {
        let why = reason(&String::from_utf8_lossy(&out.stderr));
        return Err(Error::Program { command: format!("kubectl {}", args.join(" ")), why });
    }
    Ok(out.stdout)
}

/// Returns what kubectl prints when it fails, without the lines of its log (`E0131 12:00:00.000000 …`), which repeat
/// the reason.
fn reason(printed: &str) -> String {
    let is_log = |line: &&str| {
        let start = line.get(..5).unwrap_or_default();
        start.starts_with(['E', 'W', 'I', 'F']) && start[1..].bytes().all(|b| b.is_ascii_digit())
    };
    let lines: Vec<&str> = printed.lines().filter(|line| !is_log(line) && !line.trim().is_empty()).collect();
    if lines.is_empty() { printed.trim().to_owned() } else { lines.join("\n") }
}

#[cfg(test)]
mod tests {
    #[test]
    fn log_lines_are_left_out() {
        let log = "E1124 22:08:54.871946   24485 memcache.go:265] \"Unhandled Error\" err=\"x\"\n";
        let reason = "Unable to connect to the server: EOF";
        assert_eq!(super::reason(&format!("{log}{log}{reason}\n")), reason);
        assert_eq!(super::reason(log), log.trim());
        assert_eq!(super::reason("Error: é\n"), "Error: é");
    }
}
