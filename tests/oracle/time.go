package main

import (
	"context"
	"syscall"
	"time"

	"k8s.io/apiserver/pkg/registry/rest"
)

// opObjectTime measures the library alone: objects in JSON are decoded, pruned, defaulted, prepared and validated
// as on create, each as often as asked for; ns is the processor time of all of it.
func opObjectTime(ctx context.Context, req *request) (answer, error) {
	s, v, err := serving(req.CRD, req.Version)
	if err != nil {
		return nil, err
	}
	valid := 0
	start := processorTime()
	for range req.Repeat {
		for _, text := range req.Objects {
			u, _, _, err := s.decodeRequest(text, v.kind)
			if err != nil {
				continue
			}
			rest.WipeObjectMetaSystemFields(u)
			if s.namespaced() {
				u.SetNamespace("default")
			}
			u.SetUID(fakeUID)
			u.SetCreationTimestamp(fakeTime)
			v.create.PrepareForCreate(ctx, u)
			if len(validateCreate(ctx, u, v.create)) == 0 {
				valid++
			}
		}
	}
	return answer{"ns": (processorTime() - start).Nanoseconds(), "succeeded": valid}, nil
}

// processorTime is what the process has taken so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
