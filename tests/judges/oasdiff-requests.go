package diff

import (
	"encoding/json"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/load"
)

// recordRequests records the schemas of the bodies of all requests that two specifications have.
func recordRequests(old, new *load.SpecInfo) {
	if old == nil || new == nil || old.Spec == nil || new.Spec == nil {
		return
	}
	for path, item := range old.Spec.Paths.Map() {
		other := new.Spec.Paths.Value(path)
		if other == nil {
			continue
		}
		for method, operation := range item.Operations() {
			before, after := bodyOf(operation), bodyOf(other.GetOperation(method))
			if before != nil && after != nil {
				record(before, after)
			}
		}
	}
}

func bodyOf(operation *openapi3.Operation) map[string]any {
	if operation == nil || operation.RequestBody == nil || operation.RequestBody.Value == nil {
		return nil
	}
	media := operation.RequestBody.Value.Content.Get("application/json")
	if media == nil {
		return nil
	}
	return inline(media.Schema, false, 12)
}

// inline makes JSON of a schema without references. In junctors, the schemas of CRDs have no types.
func inline(of *openapi3.SchemaRef, isInJunctor bool, depth int) map[string]any {
	if of == nil || of.Value == nil || depth == 0 {
		return nil
	}
	schema := of.Value
	bytes, err := schema.MarshalJSON()
	var out map[string]any
	if err != nil || json.Unmarshal(bytes, &out) != nil {
		return nil
	}
	if isInJunctor {
		delete(out, "type")
		delete(out, "description")
		delete(out, "default")
	}
	for _, key := range []string{"readOnly", "writeOnly", "deprecated", "discriminator", "xml", "examples"} {
		delete(out, key)
	}
	set := func(key string, value map[string]any) {
		if delete(out, key); value != nil {
			out[key] = value
		}
	}
	if len(schema.Properties) > 0 {
		properties := map[string]any{}
		for name, property := range schema.Properties {
			if value := inline(property, isInJunctor, depth-1); value != nil {
				properties[name] = value
			}
		}
		set("properties", properties)
	}
	set("items", inline(schema.Items, isInJunctor, depth-1))
	set("not", inline(schema.Not, true, depth-1))
	if schema.AdditionalProperties.Schema != nil {
		set("additionalProperties", inline(schema.AdditionalProperties.Schema, isInJunctor, depth-1))
	}
	for key, all := range map[string]openapi3.SchemaRefs{"allOf": schema.AllOf, "anyOf": schema.AnyOf, "oneOf": schema.OneOf} {
		delete(out, key)
		var parts []any
		for _, part := range all {
			parts = append(parts, inline(part, true, depth-1))
		}
		if len(parts) > 0 {
			out[key] = parts
		}
	}
	return out
}
