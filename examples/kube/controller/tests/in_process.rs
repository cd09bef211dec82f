//! Tests the controller with an API server in this process: no cluster, no etcd, no waiting for a server to start.

#[allow(dead_code, unused_macros, reason = "the live tests use more of it")]
mod story;

use controller::site;
use controller::site::kinds::{Page, Phase, Site};
use crdgen::testing::{Fault, Rule, Server};
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, ListParams, ObjectMeta, Patch, PatchParams, PostParams};
use kube::core::CustomResourceExt;
use kube::{Client, ResourceExt};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// A server with the CRDs, and the running controller.
struct Stage {
    server: Server,
    client: Client,
    sites: Api<Site>,
    pages: Api<Page>,
    running: JoinHandle<()>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.running.abort();
    }
}

impl Stage {
    fn new(server: Server) -> Stage {
        for crd in [Site::crd(), Page::crd()] {
            server.add(&json!(crd).to_string()).expect("a CRD");
        }
        let client = Client::new(server.clone(), "default");
        let (sites, pages) =
            (Api::default_namespaced(client.clone()), Api::default_namespaced(client.clone()));
        let running = tokio::spawn(site::reconcile::run(client.clone()));
        Stage { server, client, sites, pages, running }
    }

    /// Stops the controller and starts it again.
    fn restart(&mut self) {
        self.running.abort();
        self.running = tokio::spawn(site::reconcile::run(self.client.clone()));
    }

    async fn create(&self, name: &str, leaves: &[&str]) {
        let site = site(name, leaves);
        self.sites.create(&PostParams::default(), &site).await.expect("a site");
    }

    async fn change(&self, name: &str, patch: Value) {
        self.sites.patch(name, &PatchParams::default(), &Patch::Merge(patch)).await.expect("changed");
    }

    /// Checks something after each change in the server, until it is so.
    async fn eventually<T>(&self, check: impl AsyncFnMut() -> Result<T, String>) -> T {
        self.server.eventually(check).await.unwrap_or_else(|why| panic!("{why}"))
    }

    /// Waits until the controller has reconciled a generation of a site.
    async fn reconciled(&self, name: &str, generation: i64) {
        self.eventually(async || {
            let site = self.sites.get(name).await.map_err(|why| why.to_string())?;
            let status = site.status.unwrap_or_default();
            let is_done = status.observed_generation == Some(generation) && status.phase == Phase::Ready;
            if is_done { Ok(()) } else { Err(format!("the status is {status:?}")) }
        })
        .await;
    }

    /// The names of the pages.
    async fn names(&self) -> Vec<String> {
        let pages = self.pages.list(&ListParams::default()).await.expect("pages");
        pages.iter().map(ResourceExt::name_any).collect()
    }

    /// Waits until there are these pages and no others.
    async fn has_pages(&self, expected: &[&str]) {
        self.eventually(async || {
            let names = self.names().await;
            if names == expected { Ok(()) } else { Err(format!("the pages are {names:?}")) }
        })
        .await;
    }
}

fn site(name: &str, leaves: &[&str]) -> Site {
    let pages: Vec<_> = leaves.iter().map(|leaf| json!({ "name": leaf, "text": leaf })).collect();
    let site = json!({
        "apiVersion": "www.example.com/v1", "kind": "Site",
        "metadata": { "name": name },
        "spec": { "title": "One", "pages": pages }
    });
    serde_json::from_value(site).expect("a site")
}

#[tokio::test]
async fn a_site_lives_as_on_a_live_server() {
    let server = Server::new();
    let client = Client::new(server, "default");
    story::define(&client, vec![Site::crd(), Page::crd()]).await;
    let running = tokio::spawn(site::reconcile::run(client.clone()));
    let last = story::live(client, Site::api_resource(), Page::api_resource()).await;
    assert_eq!(last, json!({ "phase": "Ready", "pages": 2, "observedGeneration": 2 }));
    running.abort();
}

#[crdgen::test(seeds = 3)]
async fn a_site_gets_its_pages(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home", "about"]).await;
    stage.reconciled("one", 1).await;
    stage.has_pages(&["one-about", "one-home"]).await;
    let page = stage.pages.get("one-home").await.expect("a page");
    assert_eq!((page.spec.title.as_str(), page.spec.text.as_str()), ("One", "home"));
    assert_eq!(page.owner_references()[0].name, "one");
}

#[crdgen::test(seeds = 3)]
async fn a_changed_title_reaches_every_page(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home", "about"]).await;
    stage.reconciled("one", 1).await;
    stage.change("one", json!({ "spec": { "title": "Two" } })).await;
    stage.reconciled("one", 2).await;
    for page in stage.pages.list(&ListParams::default()).await.expect("pages") {
        assert_eq!(page.spec.title, "Two");
    }
}

#[crdgen::test(seeds = 3)]
async fn a_leaf_that_is_gone_takes_its_page_with_it(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home", "about"]).await;
    stage.reconciled("one", 1).await;
    stage.change("one", json!({ "spec": { "pages": [{ "name": "home", "text": "home" }] } })).await;
    stage.has_pages(&["one-home"]).await;
}

#[crdgen::test(seeds = 3)]
async fn a_page_that_somebody_deletes_comes_back(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    let first = stage.pages.get("one-home").await.expect("a page").uid();
    stage.pages.delete("one-home", &DeleteParams::default()).await.expect("deleted");
    stage
        .eventually(async || match stage.pages.get_opt("one-home").await {
            Ok(Some(page)) if page.uid() != first => Ok(()),
            other => Err(format!("{other:?}")),
        })
        .await;
}

#[crdgen::test(seeds = 3)]
async fn a_page_that_somebody_changes_is_restored(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    let patch = Patch::Merge(json!({ "spec": { "title": "Mine" } }));
    stage.pages.patch("one-home", &PatchParams::default(), &patch).await.expect("changed");
    stage
        .eventually(async || match stage.pages.get("one-home").await {
            Ok(page) if page.spec.title == "One" => Ok(()),
            other => Err(format!("{other:?}")),
        })
        .await;
}

#[crdgen::test(seeds = 3)]
async fn sites_leave_each_others_pages_alone(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.create("two", &["home"]).await;
    stage.has_pages(&["one-home", "two-home"]).await;
    stage.sites.delete("one", &DeleteParams::default()).await.expect("deleted");
    stage.has_pages(&["two-home"]).await;
}

#[crdgen::test]
async fn the_server_rejects_a_site_without_pages(server: Server) {
    let stage = Stage::new(server);
    let rejected = stage.sites.create(&PostParams::default(), &site("one", &[])).await;
    let why = rejected.expect_err("the rule of the CRD").to_string();
    assert!(why.contains("a site has pages"), "{why}");
}

/// Creates a site while one request fails.
async fn recovers(server: Server, fault: Fault, verb: &str, resource: &str) {
    let stage = Stage::new(server);
    stage.server.inject(Rule::new(fault).verb(verb).resource(resource));
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    let failed = stage.server.requests().filter(|it| it.resource == resource && it.code >= 400);
    assert_eq!(failed.len(), 1, "{failed:?}");
}

#[crdgen::test(seeds = 2)]
async fn a_conflict_is_tried_again(server: Server) {
    recovers(server, Fault::Conflict, "patch", "pages").await;
}

#[crdgen::test(seeds = 2)]
async fn an_error_of_the_server_is_tried_again(server: Server) {
    recovers(server, Fault::Internal, "patch", "pages").await;
}

#[crdgen::test(seeds = 2)]
async fn a_busy_server_is_asked_again(server: Server) {
    recovers(server, Fault::TooManyRequests, "patch", "pages").await;
}

#[crdgen::test(seeds = 2)]
async fn a_write_whose_answer_is_lost_happens_once(server: Server) {
    recovers(server, Fault::LostResponse, "patch", "pages").await;
}

#[crdgen::test(seeds = 2)]
async fn a_list_that_fails_is_tried_again(server: Server) {
    recovers(server, Fault::Unavailable, "list", "pages").await;
}

#[crdgen::test(seeds = 2)]
async fn a_status_that_cannot_be_written_is_tried_again(server: Server) {
    recovers(server, Fault::Internal, "patch", "sites").await;
}

#[crdgen::test(seeds = 2)]
async fn a_watch_that_ends_is_started_again(server: Server) {
    let stage = Stage::new(server);
    stage.server.inject(Rule::new(Fault::EndWatch(1)).resource("sites").times(3));
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    stage.change("one", json!({ "spec": { "title": "Two" } })).await;
    stage.reconciled("one", 2).await;
}

#[crdgen::test(seeds = 2)]
async fn late_events_do_no_harm(server: Server) {
    let stage = Stage::new(server);
    stage.server.inject(Rule::new(Fault::DelayWatch(std::time::Duration::from_secs(1))).resource("pages"));
    stage.create("one", &["home", "about"]).await;
    stage.has_pages(&["one-about", "one-home"]).await;
    stage.reconciled("one", 1).await;
}

#[crdgen::test(seeds = 2)]
async fn a_stale_list_removes_no_page_that_is_wanted(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    stage.server.inject(Rule::new(Fault::Stale(2)).resource("pages"));
    stage.change("one", json!({ "spec": { "title": "Two" } })).await;
    stage.reconciled("one", 2).await;
    stage.has_pages(&["one-home"]).await;
}

#[crdgen::test(seeds = 2)]
async fn changes_that_the_server_has_forgotten_are_listed(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    stage.change("one", json!({ "spec": { "title": "Two" } })).await;
    // The change is gone before the watch of the controller has read it, or after.
    stage.server.forget_changes();
    stage.reconciled("one", 2).await;
}

#[crdgen::test(seeds = 3)]
async fn a_controller_that_stops_in_the_middle_finishes_later(server: Server) {
    let mut stage = Stage::new(server);
    stage.create("one", &["a", "b", "c"]).await;
    stage
        .eventually(async || match stage.names().await.len() {
            0 => Err("no page yet".to_owned()),
            _ => Ok(()),
        })
        .await;
    stage.restart();
    stage.reconciled("one", 1).await;
    stage.has_pages(&["one-a", "one-b", "one-c"]).await;
}

#[crdgen::test(seeds = 3)]
async fn a_change_while_the_controller_is_down_is_not_missed(server: Server) {
    let mut stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    stage.running.abort();
    stage.change("one", json!({ "spec": { "title": "Two" } })).await;
    stage.restart();
    stage.reconciled("one", 2).await;
    assert_eq!(stage.pages.get("one-home").await.expect("a page").spec.title, "Two");
}

#[crdgen::test(seeds = 2)]
async fn reconciling_again_writes_no_page(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    let before = stage.pages.get("one-home").await.expect("a page").resource_version();
    let requests = stage.server.requests().len();
    stage.change("one", json!({ "metadata": { "labels": { "touched": "yes" } } })).await;
    // An apply that changes nothing is a request, but no change in the server: it would not wake `eventually`.
    while stage.server.requests().since(requests).writes_to("pages").is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    let after = stage.pages.get("one-home").await.expect("a page").resource_version();
    assert_eq!(before, after, "an apply without a change writes nothing");
}

#[crdgen::test(seeds = 3)]
async fn the_finalizer_runs_before_the_site_is_gone(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home", "about"]).await;
    stage.reconciled("one", 1).await;
    stage.sites.delete("one", &DeleteParams::default()).await.expect("deleted");
    stage
        .eventually(async || match stage.sites.get_opt("one").await {
            Ok(None) => Ok(()),
            other => Err(format!("{other:?}")),
        })
        .await;
    assert!(stage.names().await.is_empty());
}

#[crdgen::test(seeds = 2)]
async fn a_site_stays_until_its_pages_can_be_deleted(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    stage.server.inject(Rule::new(Fault::Internal).verb("delete").resource("pages").times(2));
    stage.sites.delete("one", &DeleteParams::default()).await.expect("deleted");
    stage
        .eventually(async || match stage.sites.get_opt("one").await {
            Ok(None) => Ok(()),
            other => Err(format!("{other:?}")),
        })
        .await;
    let failed =
        stage.server.requests().writes_to("pages").filter(|it| it.verb == "delete" && it.code == 500);
    assert_eq!(failed.len(), 2);
}

#[crdgen::test(seeds = 2)]
async fn a_site_that_is_deleted_while_the_controller_is_down_is_cleaned_up(server: Server) {
    let mut stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    stage.running.abort();
    stage.sites.delete("one", &DeleteParams::default()).await.expect("deleted");
    assert_eq!(stage.names().await, ["one-home"]);
    stage.restart();
    stage.has_pages(&[]).await;
}

#[crdgen::test(seeds = 2)]
async fn the_controller_reports_what_it_did(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    let events: Api<Event> = Api::default_namespaced(stage.client.clone());
    stage
        .eventually(async || {
            let events = events.list(&ListParams::default()).await.map_err(|why| why.to_string())?;
            let reasons: Vec<_> = events.iter().filter_map(|event| event.reason.as_deref()).collect();
            if reasons == ["Published"] { Ok(()) } else { Err(format!("the events are {reasons:?}")) }
        })
        .await;
}

#[crdgen::test(seeds = 2)]
async fn pages_of_others_stay(server: Server) {
    let stage = Stage::new(server);
    let page = json!({
        "apiVersion": "www.example.com/v1", "kind": "Page", "metadata": { "name": "mine" },
        "spec": { "title": "Mine", "text": "" }
    });
    let page: Page = serde_json::from_value(page).expect("a page");
    stage.pages.create(&PostParams::default(), &page).await.expect("a page");
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    stage.has_pages(&["mine", "one-home"]).await;
}

#[crdgen::test(seeds = 2)]
async fn labels_that_others_set_on_a_page_stay(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    let patch = Patch::Merge(json!({ "metadata": { "labels": { "team": "a" } } }));
    stage.pages.patch("one-home", &PatchParams::default(), &patch).await.expect("changed");
    stage.change("one", json!({ "spec": { "title": "Two" } })).await;
    stage.reconciled("one", 2).await;
    let page = stage.pages.get("one-home").await.expect("a page");
    assert_eq!(page.labels().get("team").map(String::as_str), Some("a"));
    assert_eq!(page.spec.title, "Two");
}

#[crdgen::test(seeds = 2)]
async fn sites_in_other_namespaces_have_their_own_pages(server: Server) {
    let stage = Stage::new(server);
    stage.server.add("{apiVersion: v1, kind: Namespace, metadata: {name: other}}").expect("a namespace");
    let sites: Api<Site> = Api::namespaced(stage.client.clone(), "other");
    let mut other = site("one", &["start"]);
    other.metadata = ObjectMeta { name: Some("one".to_owned()), ..ObjectMeta::default() };
    sites.create(&PostParams::default(), &other).await.expect("a site");
    stage.create("one", &["home"]).await;
    stage.has_pages(&["one-home"]).await;
    let pages: Api<Page> = Api::namespaced(stage.client.clone(), "other");
    stage
        .eventually(async || match pages.get_opt("one-start").await {
            Ok(Some(_)) => Ok(()),
            other => Err(format!("{other:?}")),
        })
        .await;
}

#[crdgen::test(seeds = 2)]
async fn a_site_that_is_created_again_gets_new_pages(server: Server) {
    let stage = Stage::new(server);
    stage.create("one", &["home"]).await;
    stage.reconciled("one", 1).await;
    stage.sites.delete("one", &DeleteParams::default()).await.expect("deleted");
    stage
        .eventually(async || match stage.sites.get_opt("one").await {
            Ok(None) => Ok(()),
            other => Err(format!("{other:?}")),
        })
        .await;
    stage.create("one", &["about"]).await;
    stage.has_pages(&["one-about"]).await;
}

#[tokio::test]
async fn a_controller_notices_that_the_installed_crd_is_another_one() {
    let server = Server::new();
    let client = Client::new(server.clone(), "default");
    let check = || async { crdgen::kube::check_installed!(Site, &client).await.expect("the server answers") };
    assert_eq!(
        check().await.to_string(),
        "the CRD sites.www.example.com is not installed. Apply it before this program starts"
    );
    let mut old = serde_json::to_value(Site::crd()).expect("JSON");
    let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    let fields = old.pointer_mut(spec).expect("the fields of the spec");
    fields["title"]["maxLength"] = 20.into();
    let page = fields.pointer_mut("/pages/items/properties").and_then(|it| it.as_object_mut());
    page.expect("the fields of a page").remove("text");
    story::define(&client, vec![serde_json::from_value(old).expect("a CRD")]).await;
    let skew = check().await;
    assert_eq!(
        skew.differences.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "spec.title: maxLength is 20 in the installed CRD, but 80 in the types",
            "spec.pages[].text: the installed CRD does not have this field, so the server drops it",
        ]
    );
    // A controller that starts anyway would not notice: the server accepts the object, and drops the text.
    let sites: Api<Site> = Api::namespaced(client.clone(), "default");
    let made = sites.create(&PostParams::default(), &site("one", &["home"])).await.expect("a site");
    assert_eq!(made.spec.pages[0].text, "");
    assert!(skew.into_result().is_err());

    let apply = PatchParams::apply("test").force();
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let current = serde_json::to_value(Site::crd()).expect("JSON");
    crds.patch("sites.www.example.com", &apply, &Patch::Apply(current)).await.expect("applied");
    assert_eq!(check().await.into_result(), Ok(()));
}
