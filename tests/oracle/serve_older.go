//go:build older

package main

import "errors"

// serve is left out of the oracles of older servers, which only answer requests: it would build etcd for each.
func serve([]string) error {
	return errors.New("only the oracle of the newest server serves")
}
