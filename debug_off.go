//go:build !eddydebug

package eddy

import "unsafe"

// debug guards every check, so that without the tag none is compiled.
const debug = false

func (p *BytePool) debugGet(n, size int) []byte { return nil }
func (p *BytePool) debugPut(b []byte)           {}

func debugGetValue(pool string, v unsafe.Pointer) {}
func debugPutValue(pool string, v unsafe.Pointer) {}

func debugGetFixed(p *FixedPool, i int) {}
func debugPutFixed(p *FixedPool, i int) {}
