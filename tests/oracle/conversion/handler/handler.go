// Package conversion is added to upstream's tests of conversion webhooks: handlers that hand on reviews to webhooks of crdgen.
package conversion

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
)

// webhooks are the webhooks of crdgen by their names.
var webhooks = sync.OnceValues(func() (map[string]webhook, error) {
	var out map[string]webhook
	err := json.Unmarshal([]byte(os.Getenv("CRDGEN_WEBHOOKS")), &out)
	return out, err
})

type webhook struct {
	URL string `json:"url"`
	CA  string `json:"ca"`
}

// crdgenWebhook hands on requests to a webhook of crdgen. If a version is named here, no review may ask for it.
func crdgenWebhook(t *testing.T, name, never string) http.Handler {
	all, err := webhooks()
	if err != nil {
		t.Fatal(err)
	}
	to, ok := all[name]
	roots := x509.NewCertPool()
	if !ok || !roots.AppendCertsFromPEM([]byte(to.CA)) {
		t.Fatalf("there is no webhook %s", name)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body, err := handOn(client, to.URL, never, r)
		if err != nil {
			t.Errorf("the webhook %s: %v", name, err)
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(body)
	})
}

func handOn(client *http.Client, url, never string, r *http.Request) (int, []byte, error) {
	review, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, nil, err
	}
	if never != "" && strings.Contains(string(review), `"desiredAPIVersion":"stable.example.com/`+never+`"`) {
		return 0, nil, fmt.Errorf("a review asks for %s", never)
	}
	request, err := http.NewRequest(r.Method, url, bytes.NewReader(review))
	if err != nil {
		return 0, nil, err
	}
	request.Header = r.Header.Clone()
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil, err
	}
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "application/json" {
		return 0, nil, fmt.Errorf("it answers with %d and %s: %s", answer.StatusCode, kind, body)
	}
	return answer.StatusCode, body, nil
}
