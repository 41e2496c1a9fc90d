// Package hook lets package easyjson reach into buffers in ways that are not
// for users. Package buffer sets the functions, which take a *buffer.Buffer.
package hook

var (
	// Pin makes an empty buffer keep its bookkeeping and a small array when
	// it is freed, for buffers that are pooled themselves.
	Pin func(buffer any)

	// Retire makes an empty buffer panic when it is used.
	Retire func(buffer any)
)
