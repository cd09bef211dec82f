// Converts objects of cluster-api with cluster-api's own ConvertTo and ConvertFrom: it reads a request per line,
// {"to": "v1beta2", "object": {…}}, and answers {"object": {…}} or {"error": "…"}.
//
// Without "to", it answers the object as the Go type of its version reads and writes it, which is what every Go client sees.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	v1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1"
	v1beta2 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

type request struct {
	To     string          `json:"to"`
	Object json.RawMessage `json:"object"`
}

type answer struct {
	Object any    `json:"object,omitempty"`
	Error  string `json:"error,omitempty"`
}

// The types of a kind: the older version, and the newer one, which is the hub.
type pair struct {
	older func() conversion.Convertible
	newer func() conversion.Hub
}

var kinds = map[string]pair{
	"Cluster": {
		func() conversion.Convertible { return &v1beta1.Cluster{} },
		func() conversion.Hub { return &v1beta2.Cluster{} },
	},
	"MachineDeployment": {
		func() conversion.Convertible { return &v1beta1.MachineDeployment{} },
		func() conversion.Hub { return &v1beta2.MachineDeployment{} },
	},
}

func convert(line []byte) (any, error) {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, err
	}
	var meta struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
	}
	if err := json.Unmarshal(asked.Object, &meta); err != nil {
		return nil, err
	}
	kind, ok := kinds[meta.Kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind %q", meta.Kind)
	}
	older, newer := kind.older(), kind.newer()
	isOlder := meta.APIVersion == v1beta1.GroupVersion.String()
	var target any = newer
	if isOlder {
		target = older
	}
	if err := json.Unmarshal(asked.Object, target); err != nil {
		return nil, err
	}
	switch {
	case asked.To == "":
		return target, nil
	case isOlder && asked.To == "v1beta2":
		if err := older.ConvertTo(newer); err != nil {
			return nil, err
		}
		newer.GetObjectKind().SetGroupVersionKind(v1beta2.GroupVersion.WithKind(meta.Kind))
		return newer, nil
	case !isOlder && asked.To == "v1beta1":
		if err := older.ConvertFrom(newer); err != nil {
			return nil, err
		}
		older.GetObjectKind().SetGroupVersionKind(v1beta1.GroupVersion.WithKind(meta.Kind))
		return older, nil
	default:
		return nil, fmt.Errorf("no conversion of %s to %q", meta.APIVersion, asked.To)
	}
}

func main() {
	// In a cluster, the labels of a CRD name its version; here, every kind has the same.
	v1beta1.SetAPIVersionGetter(func(kind schema.GroupKind) (string, error) {
		return schema.GroupVersion{Group: kind.Group, Version: "v1"}.String(), nil
	})
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	write := json.NewEncoder(out)
	for in.Scan() {
		object, err := convert(in.Bytes())
		said := answer{Object: object}
		if err != nil {
			said = answer{Error: err.Error()}
		}
		if err := write.Encode(said); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		out.Flush()
	}
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
