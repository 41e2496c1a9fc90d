//go:build eddydebug

package eddy

import (
	"fmt"
	"reflect"
	"runtime"
)

// debugMadeValue enters a value of a Pool. What a value holds cannot be filled
// with poison, so only its way is known.
func debugMadeValue[T any](p *Pool[T], v *T) {
	size := int(reflect.TypeFor[T]().Size())
	if size == 0 {
		return // all values of no size may have one address
	}
	r := &debugRecord{
		what: fmt.Sprintf("a value of type %T of %s", v, debugName(p.Name)),
		size: size,
	}
	debugState.mu.Lock()
	debugTake(addressOfValue(v), r)
	debugState.mu.Unlock()
	runtime.AddCleanup(v, debugLost, debugLoss{addressOfValue(v), r})
}

func debugGetValue[T any](v *T) {
	here := debugCallers()
	debugState.mu.Lock()
	if r := debugState.records[addressOfValue(v)]; r != nil {
		r.got, r.put = here, nil
	}
	debugState.mu.Unlock()
}

func debugPutValue[T any](p *Pool[T], v *T) {
	if reflect.TypeFor[T]().Size() == 0 {
		return
	}
	here := debugCallers()
	debugState.mu.Lock()
	fault := ""
	switch r := debugState.records[addressOfValue(v)]; {
	case r == nil:
		fault = debugReport(fmt.Sprintf("a foreign value of type %T was put into %s",
			v, debugName(p.Name)), nil, here, "it was put")
	case r.put != nil:
		fault = debugReport("double Put", r, here, "it was put again")
	default:
		r.put = here
	}
	debugState.mu.Unlock()
	debugRaise(fault)
}

// debugMadeFixed enters buffer i of a FixedPool.
func debugMadeFixed(p *FixedPool, i int) {
	b := p.buffers.at(i, p.size)
	a := addressOf(b)
	r := &debugRecord{
		what: fmt.Sprintf("buffer %d, of %d bytes, of %s (fixed)", i, p.size, debugName(p.name)),
		size: p.size,
	}
	debugState.mu.Lock()
	debugTake(a, r)
	debugState.mu.Unlock()
	runtime.AddCleanup(arrayOf(b), debugLost, debugLoss{a, r})
}

// debugGetFixed checks that nobody wrote to buffer i while it was in the pool.
func debugGetFixed(p *FixedPool, i int) {
	b := p.buffers.at(i, p.size)
	here := debugCallers()
	fault := ""
	debugState.mu.Lock()
	r := debugState.records[addressOf(b)]
	if r.put != nil {
		fault = debugPoisoned(r, b)
	}
	r.got, r.put = here, nil
	debugState.mu.Unlock()
	debugRaise(fault)
}

func debugPutFixed(p *FixedPool, i int) {
	b := p.buffers.at(i, p.size)
	here := debugCallers()
	debugState.mu.Lock()
	if r := debugState.records[addressOf(b)]; r != nil && r.put == nil {
		r.put = here
		debugFill(b)
	}
	debugState.mu.Unlock()
}

// debugRefused adds the stacks to the error of a refused Put.
func debugRefused(err error, a *byte) error {
	debugState.mu.Lock()
	defer debugState.mu.Unlock()
	r := debugState.records[addressOfValue(a)]
	fault := "foreign memory was put"
	if r != nil {
		fault = "double Put"
	}
	return fmt.Errorf("%w\n%s", err, debugReport(fault, r, debugCallers(), "it was put now"))
}
