// Package late lets debug builds make a buffer panic when it is used after the
// call that it was for.
package late

// Retire is given a *buffer.Buffer. Package buffer sets it in debug builds.
var Retire func(buffer any)
