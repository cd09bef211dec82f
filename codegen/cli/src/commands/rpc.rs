//! `crdgen rpc`: requests on standard input, answers on standard output, a line of JSON each.

use crate::outcome::Outcome;
use crdgen_files::Error;
use crdgen_kubernetes::policies::rpc::POLICY;
use crdgen_kubernetes::rpc::NATIVE;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};

/// The depth of the recursion over the input is limited. This stack is large enough for the deepest input.
const STACK: usize = 256 << 20;

/// Answer requests on standard input, one JSON document per line
///
/// For editors and other languages. `op` names the operation, and `id` is returned with the answer. `crd`, `object` and `old`
/// are texts in YAML or JSON. The operations are: check (all CRDs in a text, with lints), lints, crd (create a CRD, or update
/// it with `old`), diff (what an update breaks, with witnesses), structural, openapi, cel (the rules of a CRD and their costs), object (create or update an object),
/// apply (writes with the owners of fields), native (create or update an object of one of Kubernetes' own kinds),
/// scale, table, eval (expressions), regexp, priority and version (names of versions), yaml. A request that cannot be answered gets an `error`, and the command
/// continues.
#[derive(clap::Args)]
#[command(after_help = r#"Example:
  $ echo '{"id":1,"op":"eval","exprs":["1 + 1"]}' | crdgen rpc
  {"id":1,"results":[{"cost":1,"type":"int","value":"2"}]}

An object that the server would create or reject:
  {"op":"object","crd":"apiVersion: apiextensions.k8s.io/v1\nkind: …","object":"apiVersion: …"}
  {"valid":false,"errors":[{"field":"spec.replicas","type":"FieldValueTypeInvalid","text":"…"}],"message":"…"}

With "findings":true the answer also has the findings with their lines, columns and help, in the form of `-o json`.

The CRDs in a file, as `crdgen check` checks them. `old` has the CRDs before an update, and `lints` and `noLints` switch
lints on and off, which the operation `lints` lists:
  {"op":"check","crd":"…","old":"…","kube":"1.33","lints":["LNT002"],"noLints":["LNT013"]}
  {"definitions":2,"valid":false,"findings":[{"code":"SCH004","start":{"line":18,"column":9},"help":"…"}]}

What an update breaks. `old` and `new` may have several CRDs, and `budget` is the number of objects to try for each change:
  {"op":"diff","old":"…","new":"…","budget":1000}
  {"verdict":"breaking","findings":[{"class":"breaking","message":"…","witness":{"object":{…},"errors":["…"]},"tried":1}]}

A server-side apply. `live` is the object as it is stored; other writes have the `kind` update or patch-merge:
  {"op":"apply","crd":"…","live":"…","request":"…","kind":"apply","manager":"ci","force":false}
  {"error":"Apply failed with 1 conflict: …","conflicts":[{"manager":"helm","field":".spec.replicas","message":"…"}],"status":{"code":409}}

An object of one of Kubernetes' own kinds. With `old` it is an update, and `subresource` names the part that is written:
  {"op":"native","object":"apiVersion: apps/v1\nkind: Deployment\n…","old":"…","namespace":"default","strict":true}
  {"accepted":false,"code":422,"errors":[{"field":"spec.replicas","type":"FieldValueInvalid","text":"…"}],"warnings":[]}

tests/oracle/README.md in crdgen's repository describes all requests and answers."#)]
pub(crate) struct Args {}

/// Answers requests until the input ends. No request ends the run.
pub(crate) fn run(_: &Args) -> Result<Outcome, Error> {
    let work = || answer_all(std::io::stdin().lock(), std::io::stdout().lock());
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let result = thread.map_err(Error::Thread)?.join();
    match result {
        Ok(Ok(())) => Ok(Outcome::Fine),
        Ok(Err(e)) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(Outcome::Fine),
        Ok(Err(e)) => Err(Error::Output(e)),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn answer_all(input: impl Read, output: impl Write) -> std::io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 20, input);
    let mut output = BufWriter::with_capacity(1 << 20, output);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if !line.trim_ascii().is_empty() {
            let answer = crdgen_diff::rpc::handle_with(&String::from_utf8_lossy(&line), &[NATIVE, POLICY]);
            output.write_all(crdgen_core::inert::json(&answer).as_bytes())?;
            output.write_all(b"\n")?;
        }
        // A client that sends requests one by one waits for the answer.
        if input.buffer().is_empty() {
            output.flush()?;
        }
        line.clear();
    }
    output.flush()
}
