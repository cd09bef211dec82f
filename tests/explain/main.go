// Command explain prints what kubectl explain prints, with kubectl's own code and template, but from documents instead of
// a server, so that all fields of thousands of kinds can be tried.
//
// Its argument is the template. It reads requests, one JSON object a line, and answers each with a line: the text for
// each path, or null where kubectl reports an error.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	explain "k8s.io/kubectl/pkg/explain/v2"
)

type request struct {
	Document  map[string]any `json:"document"` // OpenAPI v3, as a server publishes it
	Group     string         `json:"group"`
	Version   string         `json:"version"`
	Resource  string         `json:"resource"`
	Recursive bool           `json:"recursive"`
	Paths     [][]string     `json:"paths"`
}

const format = "plaintext"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "explain:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("the argument is the file of the template")
	}
	template, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	generator := explain.NewGenerator()
	if err := generator.AddTemplate(format, string(template)); err != nil {
		return err
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		var req request
		if err := in.Decode(&req); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		gvr := schema.GroupVersionResource{Group: req.Group, Version: req.Version, Resource: req.Resource}
		texts := make([]*string, len(req.Paths))
		for i, path := range req.Paths {
			var text strings.Builder
			if generator.Render(format, req.Document, gvr, path, req.Recursive, 0, &text) == nil {
				text := text.String()
				texts[i] = &text
			}
		}
		if err := out.Encode(texts); err != nil {
			return err
		}
	}
}
