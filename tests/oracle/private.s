//go:build !older
