//go:build !eddydebug

package eddy

// debug guards every check, so that without the tag none is compiled.
const debug = false

func (p *BytePool) debugGet(n, size int) []byte { return nil }
func (p *BytePool) debugPut(b []byte)           {}

func debugMadeValue[T any](p *Pool[T], v *T) {}
func debugGetValue[T any](v *T)              {}
func debugPutValue[T any](p *Pool[T], v *T)  {}

func debugMadeFixed(p *FixedPool, i int)    {}
func debugGetFixed(p *FixedPool, i int)     {}
func debugPutFixed(p *FixedPool, i int)     {}
func debugRefused(err error, a *byte) error { return err }

func debugMisuse() error         { return nil }
func debugOutstanding() []string { return nil }
