// conversion runs the tests of conversion webhooks of k8s.io/apiextensions-apiserver with webhooks of crdgen in place of
// upstream's own:
//
//	CRDGEN_WEBHOOKS='{"noop":{"url":"https://127.0.0.1:1234/convert","ca":"…"},"nontrivial":{…},"failing":{…}}' \
//	  go run ./conversion
//
// The variable has the address and the certificate of each webhook by its name; examples/versions/tests/upstream.rs runs
// them.
//
// The tests run in a copy of the module cache, which is removed afterwards; nothing of upstream's is kept here. In
// the copy, each handler that converts correctly is replaced by one that hands on the requests of the API server to a
// webhook of crdgen, byte for byte. The tests of handlers that answer wrongly on purpose are skipped, and listed. One test
// also waits for the server, which upstream's does not.
package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"oracle/etcd"
)

//go:embed handler/handler.go
var handler []byte

const (
	module = "k8s.io/apiextensions-apiserver"
	tests  = "test/integration/conversion"
)

// ours are upstream's handlers, and what takes their place.
var ours = map[string]string{
	`NewObjectConverterWebhookHandler(t, noopConverter)`:                                                  `crdgenWebhook(t, "noop", "")`,
	`NewObjectConverterWebhookHandler(t, nontrivialConverter)`:                                            `crdgenWebhook(t, "nontrivial", "")`,
	`NewObjectConverterWebhookHandler(t, getUnexpectedVersionCheckConverter(t, "v1alpha2"))`:              `crdgenWebhook(t, "nontrivial", "v1alpha2")`,
	`NewReviewWebhookHandler(t, nil, failureV1ResponseConverter("custom webhook conversion error"))`:      `crdgenWebhook(t, "failing", "")`,
	`NewReviewWebhookHandler(t, failureV1Beta1ResponseConverter("custom webhook conversion error"), nil)`: `crdgenWebhook(t, "failing", "")`,
}

// race is a call in upstream's TestWebhookNotCalledForUnusedVersions, which does not wait until the server stores
// objects in the new version. The server may store the next object in the old version, of which the webhook must never
// hear. The test then fails with upstream's own webhook, too. waits is upstream's own function that waits.
const (
	race  = `ctc.setStorageVersion(t, "v1beta1")`
	waits = `ctc.setAndWaitStorageVersion(t, "v1beta1")`
)

// other is a handler of a test that needs a webhook other than ours.
type other struct {
	handler string
	// test is the name of its test.
	test string
	why  string
}

var others = []other{
	{
		`NewObjectConverterWebhookHandler(t, metadataMutatingConverter)`, "metadata-mutating",
		"a webhook that changes labels, finalizers and the generation: ours changes no metadata but its own annotation",
	},
	{
		`NewObjectConverterWebhookHandler(t, uidMutatingConverter)`, "metadata-uid-mutating",
		"a webhook that changes uid: ours changes no metadata but its own annotation",
	},
	{
		`NewReviewWebhookHandler(t, nil, emptyV1ResponseConverter)`, "empty-response-v1",
		"a webhook that reports success without objects: ours returns as many objects as it gets, or a failure",
	},
	{
		`NewReviewWebhookHandler(t, emptyV1Beta1ResponseConverter, nil)`, "empty-response-v1beta1",
		"the same, in a review of v1beta1",
	},
	{
		`NewReviewWebhookHandler(t, nil, nil)`, "unhandled",
		"a webhook that knows neither v1 nor v1beta1 of ConversionReview: ours knows both",
	},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "conversion:", err)
		os.Exit(1)
	}
}

func run() error {
	found, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return fmt.Errorf("finding %s: %w", module, err)
	}
	dir, err := os.MkdirTemp("", "conversion")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	copied := filepath.Join(dir, "module")
	if err := os.CopyFS(copied, os.DirFS(strings.TrimSpace(string(found)))); err != nil {
		return err
	}
	if err := replace(filepath.Join(copied, tests, "conversion_test.go")); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(copied, tests, "crdgen_test.go"), handler, 0o644); err != nil {
		return err
	}
	e, address, err := etcd.Start(filepath.Join(dir, "etcd"))
	if err != nil {
		return fmt.Errorf("starting etcd: %w", err)
	}
	defer e.Close()

	var skipped []string
	for _, it := range others {
		fmt.Printf("skipped: %s needs %s\n", it.test, it.why)
		skipped = append(skipped, it.test)
	}
	skip := "/^(" + strings.Join(skipped, "|") + ")"
	first, err := goTest(copied, address, skip, ".")
	if err != nil {
		return err
	}
	fmt.Print(first.lines)
	failed := first.failedFunctions()
	if len(failed) == 0 {
		return nil
	}
	// Upstream's tests wait at most 30 seconds for their server, which is not enough on a busy machine at times. What fails
	// is run again alone, and has to pass then.
	fmt.Printf("run again alone: %s\n%s", strings.Join(failed, ", "), first.messages)
	second, err := goTest(copied, address, skip, "^("+strings.Join(failed, "|")+")$")
	if err != nil {
		return err
	}
	fmt.Print(second.lines)
	if failed := second.failedFunctions(); len(failed) > 0 {
		return fmt.Errorf("these tests fail: %s\n%s", strings.Join(failed, ", "), second.messages)
	}
	return nil
}

// report is what one run of upstream's tests printed.
type report struct {
	failed []string
	// lines say which tests passed and which were skipped.
	lines string
	// messages are those of the tests that failed.
	messages string
}

// goTest runs the tests of upstream that run names, without those of skip.
func goTest(module, etcd, skip, run string) (report, error) {
	command := exec.Command("go", "test", "-vet=off", "-count=1", "-p=2", "-v", "-timeout=20m", "-run", run, "-skip", skip, "./"+tests)
	command.Dir = module
	command.Env = append(os.Environ(), "KUBE_INTEGRATION_ETCD_URL="+etcd, "GOFLAGS=-mod=mod", "GOWORK=off")
	printed, err := command.CombinedOutput()
	found := readReport(string(printed))
	if err != nil && len(found.failed) == 0 {
		return report{}, fmt.Errorf("the tests: %w\n%s", err, printed)
	}
	return found, nil
}

func readReport(printed string) report {
	messages := map[string][]string{}
	var found report
	var current string
	for line := range strings.Lines(printed) {
		words := strings.Fields(line)
		switch {
		case len(words) >= 3 && words[0] == "===":
			current = words[2]
		case len(words) >= 3 && words[0] == "---":
			if words[1] == "FAIL:" {
				found.failed = append(found.failed, words[2])
			} else {
				found.lines += strings.TrimSpace(line) + "\n"
			}
		case strings.HasPrefix(line, "    ") && strings.Contains(line, "_test.go:"):
			messages[current] = append(messages[current], line)
		}
	}
	for _, name := range found.failed {
		found.messages += name + ":\n" + strings.Join(messages[name], "")
	}
	return found
}

// failedFunctions are the functions of the tests that failed.
func (r report) failedFunctions() []string {
	var functions []string
	for _, name := range r.failed {
		if !strings.Contains(name, "/") {
			functions = append(functions, name)
		}
	}
	return functions
}

// replace puts our webhooks in the place of upstream's. Every handler must be known here, and every handler that is known
// here must be there.
func replace(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, text, 0)
	if err != nil {
		return err
	}
	type edit struct {
		start, end int
		with       string
	}
	var edits []edit
	seen := map[string]bool{}
	var unknown []string
	ast.Inspect(parsed, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, ok := call.Fun.(*ast.Ident)
		if !ok || (name.Name != "NewObjectConverterWebhookHandler" && name.Name != "NewReviewWebhookHandler") {
			return true
		}
		start, end := files.Position(call.Pos()).Offset, files.Position(call.End()).Offset
		source := string(text[start:end])
		seen[source] = true
		if with, ok := ours[source]; ok {
			edits = append(edits, edit{start, end, with})
		} else if !isOther(source) {
			unknown = append(unknown, source)
		}
		return true
	})
	for source := range ours {
		if !seen[source] {
			unknown = append(unknown, source+", which is not there")
		}
	}
	for _, it := range others {
		if !seen[it.handler] {
			unknown = append(unknown, it.handler+", which is not there")
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("upstream has other handlers: %s", strings.Join(unknown, "; "))
	}
	sort.Slice(edits, func(i, j int) bool { return edits[i].start > edits[j].start })
	if found := strings.Count(string(text), race); found != 1 {
		return fmt.Errorf("upstream calls %s %d times, not once", race, found)
	}
	changed := string(text)
	for _, it := range edits {
		changed = changed[:it.start] + it.with + changed[it.end:]
	}
	changed = strings.Replace(changed, race, waits, 1)
	// The module cache is read-only.
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(changed), 0o644)
}

func isOther(source string) bool {
	for _, it := range others {
		if it.handler == source {
			return true
		}
	}
	return false
}
