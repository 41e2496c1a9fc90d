//go:build !eddydebug

package jsonserialization_test

const debugEnabled = false
