//! Random requests: methods, paths, queries, types of bodies, and broken bodies. The server answers each without a panic, and takes
//! no memory for them. `CRDGEN_FUZZ_SECONDS` sets how long it runs, and `CRDGEN_FUZZ_SEED` begins with other requests.

use bytes::Bytes;
use crdgen_apiserver::Server;
use http::Request;
use http_body_util::{BodyExt, Full};
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tower_service::Service;

const CRD: &str = include_str!("crd.yaml");

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % (most.max(1) as u64)).unwrap_or_default()
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const METHODS: &[&str] =
    &["GET", "GET", "POST", "POST", "PUT", "PATCH", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const PATHS: &[&str] = &[
    "/api/v1/namespaces/default/configmaps",
    "/api/v1/namespaces/default/configmaps/a",
    "/api/v1/namespaces/default/pods/a/status",
    "/api/v1/namespaces/default/secrets/a",
    "/api/v1/namespaces/default/services",
    "/api/v1/namespaces/x/finalize",
    "/api/v1/watch/namespaces/default/configmaps/a",
    "/apis/stable.example.com/v1/namespaces/default/crontabs",
    "/apis/stable.example.com/v1/namespaces/default/crontabs/a",
    "/apis/stable.example.com/v1/namespaces/default/crontabs/a/scale",
    "/apis/stable.example.com/v1/namespaces/default/crontabs/a/status",
    "/apis/apps/v1/namespaces/default/deployments/a",
    "/apis/apps/v1/namespaces/default/deployments/a/scale",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com",
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    "/apis/authentication.k8s.io/v1/tokenreviews",
    "/api/v1/namespaces/default/serviceaccounts",
    "/api/v1/namespaces/default/serviceaccounts/a/token",
    "/api/v1/namespaces/default/pods",
    "/api/v1/namespaces/default/pods/a",
    "/api/v1/namespaces/default/pods/a/binding",
    "/api/v1/namespaces/default/pods/a/eviction",
    "/api/v1/namespaces/default/pods/a/log",
    "/api/v1/namespaces/default/bindings",
    "/api/v1/nodes",
    "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
    "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    "/apis/certificates.k8s.io/v1/certificatesigningrequests/a/approval",
    "/apis/certificates.k8s.io/v1/certificatesigningrequests/a/status",
    "/apis/apps/v1/namespaces/default/statefulsets/a/scale",
    "/apis/apps/v1/namespaces/default/deployments",
    "/openapi/v3/apis/apps/v1",
    "/apis",
    "/version",
];
const QUERIES: &[&str] = &[
    "limit=2",
    "limit=-1",
    "limit=99999999999999999999",
    "continue=x",
    "continue=e30",
    "watch=1",
    "watch=1&timeoutSeconds=0",
    "resourceVersion=0",
    "resourceVersion=5",
    "resourceVersion=-1",
    "resourceVersion=18446744073709551615",
    "resourceVersionMatch=Exact",
    "resourceVersionMatch=NotOlderThan&sendInitialEvents=true&allowWatchBookmarks=true",
    "labelSelector=a%3Db",
    "labelSelector=a+in+(b",
    "labelSelector=!a,b+notin+(c)",
    "labelSelector=%00",
    "fieldSelector=metadata.name%3Da",
    "fieldSelector=a%3D%3D",
    "fieldSelector=spec.unschedulable%3Dfalse",
    "fieldSelector=spec.hostNetwork!%3Dtrue,status.phase%3DPending",
    "fieldSelector=%5C",
    "fieldManager=m",
    "fieldManager=%0A",
    "force=true",
    "force=x",
    "dryRun=All",
    "dryRun=x",
    "fieldValidation=Strict",
    "fieldValidation=x",
    "propagationPolicy=Orphan",
    "gracePeriodSeconds=-1",
    "%zz",
    "&&=&",
    "a",
    "includeObject=Object",
    "timeoutSeconds=99999999999999999999",
    "pretty=true",
];
const TYPES: &[&str] = &[
    "application/json",
    "application/yaml",
    "application/merge-patch+json",
    "application/json-patch+json",
    "application/apply-patch+yaml",
    "application/strategic-merge-patch+json",
    "application/vnd.kubernetes.protobuf",
    "text/plain",
    "",
];
const ACCEPTS: &[&str] = &[
    "application/json",
    "application/yaml",
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/vnd.kubernetes.protobuf",
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json",
    "*/*;q=x",
    "",
];
const BODIES: &[&str] = &[
    r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"a":"b"}},"data":{"k":"v"}}"#,
    r#"{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"image":"a","replicas":2}}"#,
    r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}"#,
    r#"{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},"spec":{"replicas":3}}"#,
    r#"[{"op":"add","path":"/metadata/labels","value":{"x":"y"}},{"op":"copy","from":"/metadata","path":"/data"},{"op":"test","path":"/a","value":null}]"#,
    r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"a":"b"}},"spec":{"serviceAccountName":"a","nodeName":"n","containers":[{"name":"c","image":"i"}]}}"#,
    r#"{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"a"}}"#,
    r#"{"apiVersion":"v1","kind":"Binding","metadata":{"name":"a","labels":{"a":"c"}},"target":{"kind":"Node","name":"n"}}"#,
    r#"{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a"},"deleteOptions":{"dryRun":["All"],"preconditions":{"uid":"1"}}}"#,
    r#"{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"a"},"spec":{"minAvailable":"50%","selector":{"matchLabels":{"a":"b"}}}}"#,
    r#"{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"audiences":["x"],"expirationSeconds":600,"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"a","uid":""}}}"#,
    r#"{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"a.eyAiaXNzIjoiaHR0cHM6Ly9rdWJlcm5ldGVzLmRlZmF1bHQuc3ZjIn0.b","audiences":["x",1]}}"#,
    r#"{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{"name":"a"},"spec":{"request":"eA==","signerName":"a.b/c","usages":["client auth"]},"status":{"conditions":[{"type":"Approved","status":"True"}]}}"#,
    r#"{"metadata":{"finalizers":["a/b"],"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"1","blockOwnerDeletion":true}]}}"#,
    r#"{"spec":{"template":{"spec":{"containers":[{"name":"c","$patch":"delete"},{"$setElementOrder/containers":[]}]}}}}"#,
    r#"{"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Foreground","preconditions":{"uid":"x"}}"#,
    "a: &a [1, 2]\nb: {<<: *a, c: !!binary x}\n---\nd: 1e400\n",
    "k8s\u{0}\n\u{10}\n\u{2}v1\u{12}\u{9}ConfigMap\u{12}\u{8}\n\u{6}\n\u{1}a\u{1a}\u{1}b",
];

/// Breaks a body.
fn mutate(random: &mut Random, body: &mut Vec<u8>) {
    const PARTS: &[&str] = &[
        "null",
        "{}",
        "[]",
        "\"\"",
        "-1",
        "1e999",
        "9223372036854775808",
        "\u{0}",
        "{\"a\":",
        "[[[[",
        "\"metadata\":1,",
        "\"$patch\":\"replace\",",
        "\\ud800",
        "\u{fffd}",
        "\"name\":\"../x\",",
        "\"finalizers\":[1],",
        "~1",
        "/-",
        "\"managedFields\":[{}],",
    ];
    for _ in 0..random.below(4) {
        let at = random.below(body.len() + 1);
        match random.below(5) {
            0 => body.truncate(at),
            1 => drop(body.splice(at..at, random.one(PARTS).bytes())),
            2 if at < body.len() => body[at] = u8::try_from(random.below(256)).unwrap_or_default(),
            3 => {
                let end = (at + random.below(20)).min(body.len());
                body.drain(at..end);
            }
            _ => {
                let part: Vec<u8> = body[at..].iter().take(random.below(60)).copied().collect();
                body.splice(at..at, part);
            }
        }
    }
}

fn request(random: &mut Random) -> Option<Request<Full<Bytes>>> {
    let mut path = random.one(PATHS).as_bytes().to_vec();
    if random.below(8) == 0 {
        mutate(random, &mut path);
    }
    let query: Vec<&str> = (0..random.below(8).saturating_sub(5)).map(|_| random.one(QUERIES)).collect();
    let uri = format!("{}?{}", String::from_utf8_lossy(&path), query.join("&"));
    let mut body = random.one(BODIES).as_bytes().to_vec();
    let content_type = random.one(TYPES);
    if random.below(2) == 0 {
        mutate(random, &mut body);
    }
    Request::builder()
        .method(random.one(METHODS))
        .uri(uri)
        .header("content-type", content_type)
        .header("accept", random.one(ACCEPTS))
        .header("user-agent", "tests/1")
        .body(Full::new(Bytes::from(body)))
        .ok()
}

/// The memory of this process, in MiB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|text| text.parse::<u64>().ok()).unwrap_or_default() / 1024
}

/// The processor time of this process so far: the machine may have more to do. Other systems than Linux do not show it here.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|text| text.parse::<u64>().ok());
    Duration::from_millis(ticks.sum::<u64>() * 10)
}

/// How much more memory the process may take, in MiB.
const MOST_MEMORY: u64 = 100;

#[tokio::test]
async fn random_requests_are_answered() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let end = number("CRDGEN_FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    // Without a time, the test does not depend on how fast the machine is.
    let is_over = |sent: usize| end.map_or(sent >= 800, |end| Instant::now() > end);
    let mut seed = number("CRDGEN_FUZZ_SEED").unwrap_or(1);
    let (mut sent, mut accepted) = (0, 0);
    let before = memory();
    while !is_over(sent) {
        let server = Server::new();
        server.add(CRD).unwrap_or_else(|why| panic!("{why}"));
        for _ in 0..2000 {
            seed += 1;
            let Some(request) = request(&mut Random(seed)) else { continue };
            let shown = format!("seed {seed}: {} {}", request.method(), request.uri());
            let start = processor_time();
            let Ok(answer) = server.clone().call(request).await;
            let code = answer.status().as_u16();
            // A watch is read until nothing more comes.
            let mut body = answer.into_body();
            while let Ok(Some(Ok(_))) = timeout(Duration::from_millis(1), body.frame()).await {}
            let time = processor_time() - start;
            assert!(end.is_none() || time < Duration::from_secs(5), "{shown}: {time:?}");
            assert!((200..=504).contains(&code), "{shown}: {code}");
            (sent, accepted) = (sent + 1, accepted + usize::from(code < 300));
            if is_over(sent) {
                break;
            }
        }
        // Kubernetes' own kinds and their schemas are in memory once they are used.
        assert!(memory() < before + MOST_MEMORY, "{before} MiB became {} MiB", memory());
    }
    println!("{sent} requests, of which {accepted} were successful, and {} MiB at the end", memory());
    assert!(sent > 100 && accepted > sent / 20, "{accepted} of {sent}");
}
