//go:build !older

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// smdRequest has the fields of op smd; live, manager, version and force are
// those of op apply.
type smdRequest struct {
	Schema          string                     `json:"schema"`
	Type            string                     `json:"type"` // of the schema; deduced when empty
	Do              string                     `json:"do"`
	Config          string                     `json:"config"`
	Fields          json.RawMessage            `json:"fields"`
	Other           json.RawMessage            `json:"other"`
	Managers        map[string]managedSet      `json:"managers"`
	Ignored         json.RawMessage            `json:"ignored"` // apply, update: fields that are not owned
	AllowDuplicates bool                       `json:"allowDuplicates"`
	AppendKeyFields bool                       `json:"appendKeyFields"` // extractItems
	ReturnInput     bool                       `json:"returnInputOnNoop"`
	IgnoredFields   map[string]json.RawMessage `json:"ignoredFields"` // the same by version
	Conversions     []smdConversion            `json:"conversions"`
}

type managedSet struct {
	APIVersion string          `json:"apiVersion"`
	Applied    bool            `json:"applied"`
	Fields     json.RawMessage `json:"fields"`
}

// smdConversion is what the converter of op apply and update answers for one
// object and version. All other objects are the same in each version.
type smdConversion struct {
	From    string  `json:"from"` // the type of the object
	Value   string  `json:"value"`
	Version string  `json:"version"`
	Result  string  `json:"result"`
	Type    string  `json:"type"`
	Error   *string `json:"error"`
	Missing bool    `json:"missing"` // the version does not exist
}

// opSMD calls structured-merge-diff itself.
func opSMD(_ context.Context, req *request) (answer, error) {
	if set, ok := setOperations[req.Do]; ok {
		fields, err := readSet(req.Fields)
		if err != nil {
			return nil, fmt.Errorf("fields: %w", err)
		}
		other, err := readSet(req.Other)
		if err != nil {
			return nil, fmt.Errorf("other: %w", err)
		}
		return setAnswer(set(fields, other))
	}
	parseable := typed.DeducedParseableType
	if req.Type != "" {
		parser, err := typed.NewParser(typed.YAMLObject(req.Schema))
		if err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
		if parseable = parser.Type(req.Type); !parseable.IsValid() {
			return nil, fmt.Errorf("the schema has no type %q", req.Type)
		}
	}
	var options []typed.ValidationOptions
	if req.AllowDuplicates {
		options = append(options, typed.AllowDuplicates)
	}
	live, err := fromText(parseable, req.Live, options...)
	if req.Do == "validate" {
		return answer{"valid": err == nil, "errors": smdErrors(err)}, nil
	}
	if err != nil {
		return answer{"liveErrors": smdErrors(err)}, nil
	}
	var config *typed.TypedValue
	switch req.Do {
	case "merge", "compare", "apply", "update":
		if config, err = fromText(parseable, req.Config, options...); err != nil {
			return answer{"configErrors": smdErrors(err)}, nil
		}
	}
	fields, err := readSet(req.Fields)
	if err != nil {
		return nil, fmt.Errorf("fields: %w", err)
	}

	switch req.Do {
	case "merge":
		merged, err := live.Merge(config)
		if err != nil {
			return answer{"errors": smdErrors(err)}, nil
		}
		return resultAnswer(merged)
	case "compare":
		c, err := live.Compare(config)
		if err != nil {
			return answer{"errors": smdErrors(err)}, nil
		}
		ans := answer{"same": c.IsSame(), "text": c.String()}
		for name, set := range map[string]*fieldpath.Set{"added": c.Added, "modified": c.Modified, "removed": c.Removed} {
			if ans[name], err = writeSet(set); err != nil {
				return nil, err
			}
		}
		return ans, nil
	case "toFieldSet":
		set, err := live.ToFieldSet()
		if err != nil {
			return answer{"errors": smdErrors(err)}, nil
		}
		return setAnswer(set)
	case "removeItems":
		return resultAnswer(live.RemoveItems(fields))
	case "extractItems":
		var extract []typed.ExtractItemsOption
		if req.AppendKeyFields {
			extract = append(extract, typed.WithAppendKeyFields())
		}
		return resultAnswer(live.ExtractItems(fields, extract...))
	case "reconcile":
		set, err := typed.ReconcileFieldSetWithSchema(fields, live)
		if err != nil {
			return answer{"errors": smdErrors(err)}, nil
		}
		if set == nil { // no change is needed
			return answer{"unchanged": true}, nil
		}
		return setAnswer(set)
	case "ensureNamedFieldsAreMembers":
		return setAnswer(fields.EnsureNamedFieldsAreMembers(live.Schema(), live.TypeRef()))
	case "apply", "update":
		return smdWrite(req, parseable, live, config)
	}
	return nil, fmt.Errorf("unknown do %q", req.Do)
}

var setOperations = map[string]func(a, b *fieldpath.Set) *fieldpath.Set{
	"union":               (*fieldpath.Set).Union,
	"intersection":        (*fieldpath.Set).Intersection,
	"difference":          (*fieldpath.Set).Difference,
	"recursiveDifference": (*fieldpath.Set).RecursiveDifference,
	"leaves":              func(a, _ *fieldpath.Set) *fieldpath.Set { return a.Leaves() },
}

// smdWrite is one step of the updater, with one schema for all versions.
func smdWrite(req *request, parseable typed.ParseableType, live, config *typed.TypedValue) (answer, error) {
	managers := fieldpath.ManagedFields{}
	for name, m := range req.Managers {
		set, err := readSet(m.Fields)
		if err != nil {
			return nil, fmt.Errorf("managers.%s: %w", name, err)
		}
		managers[name] = fieldpath.NewVersionedSet(set, fieldpath.APIVersion(m.APIVersion), m.Applied)
	}
	version := fieldpath.APIVersion(req.Version)
	builder := merge.UpdaterBuilder{Converter: &table{parseable, req.Conversions}, ReturnInputOnNoop: req.ReturnInput}
	if len(req.Ignored) > 0 {
		ignored, err := readSet(req.Ignored)
		if err != nil {
			return nil, fmt.Errorf("ignored: %w", err)
		}
		builder.IgnoreFilter = map[fieldpath.APIVersion]fieldpath.Filter{version: fieldpath.NewExcludeSetFilter(ignored)}
	}
	for v, data := range req.IgnoredFields {
		ignored, err := readSet(data)
		if err != nil {
			return nil, fmt.Errorf("ignoredFields.%s: %w", v, err)
		}
		if builder.IgnoreFilter == nil {
			builder.IgnoreFilter = map[fieldpath.APIVersion]fieldpath.Filter{}
		}
		builder.IgnoreFilter[fieldpath.APIVersion(v)] = fieldpath.NewExcludeSetFilter(ignored)
	}
	updater := builder.BuildUpdater()
	var result *typed.TypedValue
	var err error
	if req.Do == "apply" {
		result, managers, err = updater.Apply(live, config, version, managers, req.Manager, req.Force)
	} else {
		result, managers, err = updater.Update(live, config, version, managers, req.Manager)
	}
	if err != nil {
		ans := answer{"errors": smdErrors(err)}
		var conflicts merge.Conflicts
		if errors.As(err, &conflicts) {
			list := []map[string]string{}
			for _, c := range conflicts {
				list = append(list, map[string]string{"manager": c.Manager, "field": c.Path.String()})
			}
			ans["conflicts"] = list
		}
		return ans, nil
	}
	ans := answer{}
	if result != nil { // nil: nothing has changed
		if ans, err = resultAnswer(result); err != nil {
			return nil, err
		}
	}
	out := map[string]managedSet{}
	for name, m := range managers {
		data, err := m.Set().ToJSON()
		if err != nil {
			return nil, err
		}
		out[name] = managedSet{string(m.APIVersion()), m.Applied(), data}
	}
	ans["managers"] = out
	return ans, nil
}

// table converts objects as the request says.
type table struct {
	parseable typed.ParseableType
	rows      []smdConversion
}

type missingVersion struct{ error }

func (t *table) Convert(v *typed.TypedValue, version fieldpath.APIVersion) (*typed.TypedValue, error) {
	for _, row := range t.rows {
		if name := v.TypeRef().NamedType; row.Version != string(version) || (row.From != "" && (name == nil || *name != row.From)) {
			continue
		}
		from := typed.ParseableType{Schema: v.Schema(), TypeRef: v.TypeRef()}
		object, err := fromText(from, row.Value, typed.AllowDuplicates)
		if err != nil || !value.Equals(object.AsValue(), v.AsValue()) {
			continue
		}
		if row.Error != nil && row.Missing {
			return nil, missingVersion{errors.New(*row.Error)}
		} else if row.Error != nil {
			return nil, errors.New(*row.Error)
		}
		to := t.parseable
		if row.Type != "" {
			to = typed.ParseableType{Schema: v.Schema(), TypeRef: smdschema.TypeRef{NamedType: &row.Type}}
		}
		return fromText(to, row.Result, typed.AllowDuplicates)
	}
	return v, nil
}

func (*table) IsMissingVersionError(err error) bool {
	_, ok := err.(missingVersion)
	return ok
}

// fromText reads a value as the server does, into maps with strings as keys.
func fromText(t typed.ParseableType, text string, options ...typed.ValidationOptions) (*typed.TypedValue, error) {
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		return nil, err
	}
	read, err := t.FromUnstructured(v, options...)
	// The library reads maps in random order and reports only the first unknown field. Of the answers that it can give,
	// the first by its text is returned.
	for again := 0; err != nil && again < 200; again++ {
		if _, other := t.FromUnstructured(v, options...); other != nil && other.Error() < err.Error() {
			err = other
		}
	}
	return read, err
}

func readSet(data json.RawMessage) (*fieldpath.Set, error) {
	set := fieldpath.NewSet()
	if len(data) == 0 {
		return set, nil
	}
	return set, set.FromJSON(bytes.NewReader(data))
}

func writeSet(set *fieldpath.Set) (json.RawMessage, error) {
	data, err := set.ToJSON()
	return data, err
}

func resultAnswer(v *typed.TypedValue) (answer, error) {
	data, err := value.ToJSON(v.AsValue())
	return answer{"result": json.RawMessage(data)}, err
}

func setAnswer(set *fieldpath.Set) (answer, error) {
	data, err := writeSet(set)
	return answer{"fields": data, "text": set.String()}, err
}

func smdErrors(err error) []string {
	out := []string{}
	var list typed.ValidationErrors
	switch {
	case err == nil:
	case errors.As(err, &list):
		for _, e := range list {
			out = append(out, e.Error())
		}
	default:
		out = append(out, err.Error())
	}
	return out
}
