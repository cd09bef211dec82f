package main

import (
	"context"
	"regexp"
)

// regexpRequest holds the fields of op regexp.
type regexpRequest struct {
	Patterns []string `json:"patterns"`
	Texts    []string `json:"texts"`
}

// regexpResult is what became of one pattern: an error, or per text all matches, from and to in bytes.
type regexpResult struct {
	Error   string  `json:"error,omitempty"`
	Matches [][]int `json:"matches,omitempty"`
}

func opRegexp(_ context.Context, req *request) (answer, error) {
	results := make([]regexpResult, 0, len(req.Patterns))
	for _, pattern := range req.Patterns {
		re, err := regexp.Compile(pattern)
		if err != nil {
			results = append(results, regexpResult{Error: err.Error()})
			continue
		}
		matches := make([][]int, 0, len(req.Texts))
		for _, text := range req.Texts {
			flat := []int{}
			for _, match := range re.FindAllStringIndex(text, -1) {
				flat = append(flat, match[0], match[1])
			}
			matches = append(matches, flat)
		}
		results = append(results, regexpResult{Matches: matches})
	}
	return answer{"results": results}, nil
}
