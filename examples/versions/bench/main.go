// The webhook of sites on controller-runtime, to compare ours with: the second and the third version of the same types,
// and the conversion between them. It keeps nothing that v1beta1 cannot express.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	webhook "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

// Beta is a site of v1beta1.
type Beta struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BetaSpec `json:"spec"`
	Status            *Status  `json:"status,omitempty"`
}

type BetaSpec struct {
	Hosts          []string      `json:"hosts"`
	Replicas       int32         `json:"replicas"`
	TimeoutSeconds int64         `json:"timeoutSeconds"`
	Paused         bool          `json:"paused"`
	Backends       []BetaBackend `json:"backends"`
}

type BetaBackend struct {
	Name     string `json:"name"`
	Port     int32  `json:"port"`
	Protocol string `json:"protocol"`
}

type Status struct {
	Replicas int32  `json:"replicas"`
	Seen     string `json:"seen,omitempty"`
}

// Site is a site of v1.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SiteSpec `json:"spec"`
	Status            *Status  `json:"status,omitempty"`
}

type SiteSpec struct {
	Hosts         []string  `json:"hosts"`
	Scaling       Scaling   `json:"scaling"`
	TimeoutMillis int64     `json:"timeoutMillis"`
	State         string    `json:"state"`
	Backends      []Backend `json:"backends"`
}

type Scaling struct {
	Replicas int32  `json:"replicas"`
	Max      *int32 `json:"max,omitempty"`
}

type Backend struct {
	Name       string `json:"name"`
	TargetPort int32  `json:"target_port"`
	Protocol   string `json:"protocol"`
}

func (*Site) Hub() {}

func (b *Beta) ConvertTo(hub conversion.Hub) error {
	site := hub.(*Site)
	site.ObjectMeta, site.Status = b.ObjectMeta, b.Status
	site.Spec = SiteSpec{
		Hosts: b.Spec.Hosts, Scaling: Scaling{Replicas: b.Spec.Replicas},
		TimeoutMillis: b.Spec.TimeoutSeconds * 1000, State: "Running",
		Backends: make([]Backend, len(b.Spec.Backends)),
	}
	if b.Spec.Paused {
		site.Spec.State = "Paused"
	}
	for i, it := range b.Spec.Backends {
		site.Spec.Backends[i] = Backend{Name: it.Name, TargetPort: it.Port, Protocol: "Http"}
		if it.Protocol == "H2c" {
			site.Spec.Backends[i].Protocol = "Http2"
		}
	}
	return nil
}

func (b *Beta) ConvertFrom(hub conversion.Hub) error {
	site := hub.(*Site)
	b.ObjectMeta, b.Status = site.ObjectMeta, site.Status
	b.Spec = BetaSpec{
		Hosts: site.Spec.Hosts, Replicas: site.Spec.Scaling.Replicas,
		TimeoutSeconds: site.Spec.TimeoutMillis / 1000, Paused: site.Spec.State == "Paused",
		Backends: make([]BetaBackend, len(site.Spec.Backends)),
	}
	for i, it := range site.Spec.Backends {
		b.Spec.Backends[i] = BetaBackend{Name: it.Name, Port: it.TargetPort, Protocol: "Http"}
		if it.Protocol != "Http" {
			b.Spec.Backends[i].Protocol = "H2c"
		}
	}
	return nil
}

// No copies are made while objects are converted.
func (b *Beta) DeepCopyObject() runtime.Object { out := *b; return &out }
func (s *Site) DeepCopyObject() runtime.Object { out := *s; return &out }

func main() {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1beta1", Kind: "Site"}, &Beta{})
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Site"}, &Site{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr())
	fmt.Fprintln(os.Stderr, http.Serve(listener, webhook.NewWebhookHandler(scheme, webhook.NewRegistry())))
	os.Exit(1)
}
