// Starts the server of crdgen in place of the one of k8s.io/apiextensions-apiserver. `apiextensions` puts this file into a copy of
// the module, as test/integration/fixtures/server.go.
package fixtures

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	serveroptions "k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	servertesting "k8s.io/apiextensions-apiserver/pkg/cmd/server/testing"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

var errEtcd = errors.New("NEEDS ETCD: this server has none")

const token = "integration"

func StartDefaultServer(t servertesting.Logger, flags ...string) (func(), *rest.Config, *serveroptions.CustomResourceDefinitionsServerOptions, error) {
	dir, err := os.MkdirTemp("", "crdgen-suite")
	if err != nil {
		return nil, nil, nil, err
	}
	tokens := filepath.Join(dir, "tokens.csv")
	if err := os.WriteFile(tokens, []byte(token+",admin,admin,\"system:masters\"\n"), 0o600); err != nil {
		return nil, nil, nil, err
	}
	// The tests set the gates of their own process, in which upstream's server runs.
	gate := features.CBORServingAndStorage
	flags = append(flags, fmt.Sprintf("--feature-gates=%s=%t", gate, utilfeature.DefaultFeatureGate.Enabled(gate)))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	server := exec.Command(filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kube-apiserver"), append([]string{
		"--cert-dir", dir,
		"--token-auth-file", tokens,
		fmt.Sprintf("--secure-port=%d", port),
		// As upstream's fixture: the tests create objects in namespaces that do not exist.
		"--disable-admission-plugins", "NamespaceLifecycle",
	}, flags...)...)
	var output bytes.Buffer
	server.Stdout, server.Stderr = &output, &output
	if err := server.Start(); err != nil {
		return nil, nil, nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	tearDown := func() {
		server.Process.Kill()
		os.RemoveAll(dir)
	}
	config := &rest.Config{
		Host:            fmt.Sprintf("https://127.0.0.1:%d", port),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
		QPS:             1000,
		Burst:           10000,
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		tearDown()
		return nil, nil, nil, err
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		answer, err := client.Get(config.Host + "/readyz")
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return tearDown, config, serveroptions.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr), nil
			}
		}
		select {
		case <-ended:
			tearDown()
			return nil, nil, nil, fmt.Errorf("the server ends: %s", strings.TrimSpace(output.String()))
		case <-time.After(5 * time.Millisecond):
		}
	}
	tearDown()
	return nil, nil, nil, errors.New("the server is not ready after ten seconds")
}

func StartDefaultServerWithConfigAccess(t servertesting.Logger, flags ...string) (func(), *rest.Config, apiserver.CompletedConfig, error) {
	return nil, nil, apiserver.CompletedConfig{}, errEtcd
}

func StartDefaultServerWithClients(t servertesting.Logger, flags ...string) (func(), clientset.Interface, dynamic.Interface, error) {
	tearDown, config, _, err := StartDefaultServer(t, flags...)
	if err != nil {
		return nil, nil, nil, err
	}
	definitions, err := clientset.NewForConfig(config)
	if err != nil {
		tearDown()
		return nil, nil, nil, err
	}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		tearDown()
		return nil, nil, nil, err
	}
	return tearDown, definitions, objects, nil
}

func StartDefaultServerWithClientsAndEtcd(t servertesting.Logger, flags ...string) (func(), clientset.Interface, dynamic.Interface, *clientv3.Client, string, error) {
	return nil, nil, nil, nil, "", errEtcd
}

func IntegrationEtcdServers() []string {
	return nil
}
