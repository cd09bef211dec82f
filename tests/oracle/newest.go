//go:build !older

package main

import (
	"context"
	"flag"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// newestRequest has the fields of the operations that only the oracle of the
// newest server has.
type newestRequest struct {
	policyRequest
	applyRequest
	smdRequest
}

var newestOps = map[string]func(context.Context, *request) (answer, error){
	"policy":    opPolicy,
	"apply":     opApply,
	"applyTime": opApplyTime,
	"smd":       opSMD,
}

// beQuiet switches off logs that these operations cause. The handlers of errors
// also wait before they return.
func beQuiet() {
	logging := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(logging)
	_ = logging.Set("stderrthreshold", "FATAL")
	utilruntime.ErrorHandlers = nil
}
