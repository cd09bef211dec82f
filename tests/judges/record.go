package PACKAGE

import (
	"encoding/json"
	"os"
	"reflect"
	"runtime"
	"strings"
)

// record writes the two sides that a test of this module compares.
func record(old, new any) {
	name := "?"
	counters := make([]uintptr, 40)
	frames := runtime.CallersFrames(counters[:runtime.Callers(1, counters)])
	for {
		frame, more := frames.Next()
		if _, test, found := strings.Cut(frame.Function, ".Test"); found {
			name, _, _ = strings.Cut(test, ".")
		}
		if !more {
			break
		}
	}
	quote(reflect.ValueOf(old))
	quote(reflect.ValueOf(new))
	line, err := json.Marshal(map[string]any{"name": name, "old": old, "new": new})
	if err != nil {
		panic(err)
	}
	file, err := os.OpenFile(os.Getenv("RECORD"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.Write(append(line, '\n')); err != nil {
		panic(err)
	}
}

// quote makes JSON of values that tests write without quotes.
func quote(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() {
			quote(value.Elem())
		}
	case reflect.Slice:
		if value.Type().Elem().Kind() != reflect.Uint8 {
			for i := range value.Len() {
				quote(value.Index(i))
			}
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			// The values of maps cannot be changed in place.
			changed := reflect.New(value.Type().Elem()).Elem()
			changed.Set(value.MapIndex(key))
			quote(changed)
			value.SetMapIndex(key, changed)
		}
	case reflect.Struct:
		if raw := value.FieldByName("Raw"); raw.IsValid() && value.Type().Name() == "JSON" {
			if bytes := raw.Bytes(); len(bytes) > 0 && !json.Valid(bytes) {
				quoted, _ := json.Marshal(string(bytes))
				raw.SetBytes(quoted)
			}
			return
		}
		for i := range value.NumField() {
			quote(value.Field(i))
		}
	}
}
