package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// opYAML reads a text as the server reads a body and as kubectl reads a file.
func opYAML(_ context.Context, req *request) (answer, error) {
	text := []byte(req.Text)
	if req.Base64 != "" {
		var err error
		if text, err = base64.StdEncoding.DecodeString(req.Base64); err != nil {
			return nil, err
		}
	}
	ans := answer{"strict": []string{}}
	if value, strict, err := bodyValue(text); err != nil {
		ans["valueError"] = err.Error()
	} else {
		ans["value"], ans["strict"] = dump(value), strict
	}
	stream, err := streamValues(text)
	ans["stream"] = stream
	if err != nil {
		ans["streamError"] = err.Error()
	}
	return ans, nil
}

// bodyValue decodes a request body, the way the serializers do it.
func bodyValue(text []byte) (any, []string, error) {
	strict := []string{}
	data, isYAML := text, !utilyaml.IsJSONBuffer(text)
	if isYAML {
		var err error
		if data, err = yaml.YAMLToJSON(text); err != nil {
			return nil, nil, err
		}
		if _, err := yaml.YAMLToJSONStrict(text); err != nil {
			strict = append(strict, err.Error())
		}
	}
	var value any
	errs, err := kjson.UnmarshalStrict(data, &value)
	for _, e := range errs {
		strict = append(strict, e.Error())
	}
	return value, strict, err
}

// streamValues decodes the documents of a file.
func streamValues(text []byte) ([]string, error) {
	values := []string{}
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		var ext runtime.RawExtension
		if err := decoder.Decode(&ext); errors.Is(err, io.EOF) {
			return values, nil
		} else if err != nil {
			return values, err
		}
		if raw := bytes.TrimSpace(ext.Raw); len(raw) == 0 || string(raw) == "null" {
			continue
		}
		var value any
		if err := kjson.UnmarshalCaseSensitivePreserveInts(ext.Raw, &value); err != nil {
			return values, err
		}
		values = append(values, dump(value))
	}
}

// dump writes a value as JSON with an f before floats.
func dump(value any) string {
	var b strings.Builder
	dumpTo(&b, value)
	return b.String()
}

func dumpTo(b *strings.Builder, value any) {
	switch v := value.(type) {
	case float64:
		b.WriteString("f" + strconv.FormatFloat(v, 'e', -1, 64))
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			dumpTo(b, item)
		}
		b.WriteByte(']')
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		b.WriteByte('{')
		for i, key := range keys {
			if i > 0 {
				b.WriteByte(',')
			}
			dumpTo(b, key)
			b.WriteByte(':')
			dumpTo(b, v[key])
		}
		b.WriteByte('}')
	default:
		text, err := encode(v)
		if err != nil {
			text = []byte(fmt.Sprint(err))
		}
		b.Write(bytes.TrimRight(text, "\n"))
	}
}
