//go:build eddydebug

package eddy

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

// debug is on: every buffer is known by its address, with the stacks of its
// Get and its Put. A buffer that was put is filled with poison and kept for a
// while, unused, so that a write to it shows and a second Put of it is one.
const debug = true

const (
	poison          = 0xDB
	quarantineLimit = 32 << 20 // bytes
	quarantineCount = 1024     // buffers
	debugStackDepth = 32
)

type debugRecord struct {
	what string // what it is, for people
	size int
	got  debugStack
	put  debugStack // nil while it is out
	held []byte     // the poisoned array while in quarantine
}

type debugStack []uintptr

var debugState struct {
	mu         sync.Mutex
	records    map[uintptr]*debugRecord
	quarantine []*debugRecord // the oldest first
	held       int            // bytes in quarantine
	next       int            // which of the quarantine is looked at next
}

// debugFail reports what cannot go on. Tests replace it.
var debugFail = func(report string) { panic(report) }

// debugWarn reports what is noticed long afterwards, by the collector. Tests
// replace it.
var debugWarn = func(report string) { fmt.Fprintln(os.Stderr, report) }

func debugCallers() debugStack {
	pcs := make([]uintptr, debugStackDepth)
	return pcs[:runtime.Callers(3, pcs)]
}

// String leaves out the package's own frames and those of the runtime, which
// begin and end each stack.
func (s debugStack) String() string {
	var b strings.Builder
	frames := runtime.CallersFrames(s)
	for more := len(s) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if debugOwn(f) {
			continue
		}
		fmt.Fprintf(&b, "\t%s\n\t\t%s:%d\n", f.Function, f.File, f.Line)
	}
	return b.String()
}

func debugOwn(f runtime.Frame) bool {
	if f.Function == "runtime.goexit" || f.Function == "runtime.main" {
		return true
	}
	const own = "github.com/eddy-go/eddy."
	return strings.HasPrefix(f.Function, own) && !strings.HasSuffix(f.File, "_test.go")
}

func debugReport(fault string, r *debugRecord, here debugStack, did string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "eddy: %s", fault)
	if r != nil {
		fmt.Fprintf(&b, ": %s", r.what)
	}
	b.WriteByte('\n')
	if r != nil {
		fmt.Fprintf(&b, "it was taken by Get at\n%s", r.got)
		if r.put != nil {
			fmt.Fprintf(&b, "it was put at\n%s", r.put)
		}
	}
	if here != nil {
		fmt.Fprintf(&b, "%s at\n%s", did, here)
	}
	return b.String()
}

func debugName(pool string) string {
	if pool == "" {
		return "a pool without a name"
	}
	return fmt.Sprintf("pool %q", pool)
}

// debugTake enters what Get gives out. The caller holds mu.
func debugTake(a uintptr, r *debugRecord) {
	if debugState.records == nil {
		debugState.records = make(map[uintptr]*debugRecord)
	}
	debugState.records[a] = r
}

// debugLost is called by the collector for a buffer that nothing refers to.
func debugLost(lost debugLoss) {
	debugState.mu.Lock()
	r := lost.record
	out := r.put == nil
	if debugState.records[lost.address] == r {
		delete(debugState.records, lost.address)
	}
	debugState.mu.Unlock()
	if out {
		debugWarn(debugReport("a buffer was lost without Put", r, nil, ""))
	}
}

type debugLoss struct {
	address uintptr
	record  *debugRecord
}

func (p *BytePool) debugGet(n, size int) []byte {
	b := p.miss(n, size)
	a := addressOf(b)
	r := &debugRecord{
		what: fmt.Sprintf("a buffer of %d bytes of %s", size, debugName(p.Name)),
		size: size,
		got:  debugCallers(),
	}
	debugState.mu.Lock()
	debugTake(a, r)
	fault := debugLook()
	debugState.mu.Unlock()
	runtime.AddCleanup(arrayOf(b), debugLost, debugLoss{a, r})
	debugRaise(fault)
	return b
}

func (p *BytePool) debugPut(b []byte) {
	b = b[:cap(b)]
	a := addressOf(b)
	here := debugCallers()
	debugState.mu.Lock()
	fault := ""
	switch r := debugState.records[a]; {
	case r == nil:
		if whole := debugAround(a); whole != nil {
			fault = debugReport("part of a buffer was put", whole, here, "the part was put")
		} else {
			fault = debugReport(fmt.Sprintf("foreign memory of %d bytes was put into %s: "+
				"it is not from Get; if append has moved it, make room with Grow first",
				len(b), debugName(p.Name)), nil, here, "it was put")
		}
	case r.put != nil:
		fault = debugReport("double Put", r, here, "it was put again")
	case r.size != len(b):
		fault = debugReport("part of a buffer was put", r, here, "the part was put")
	default:
		r.put = here
		r.held = b
		debugFill(b)
		debugState.quarantine = append(debugState.quarantine, r)
		debugState.held += len(b)
		fault = debugLook()
		for debugState.held > quarantineLimit || len(debugState.quarantine) > quarantineCount {
			if f := debugRelease(); fault == "" {
				fault = f
			}
		}
	}
	debugState.mu.Unlock()
	debugRaise(fault)
}

// debugAround returns the record of the buffer that is out and in which a
// lies. The caller holds mu.
func debugAround(a uintptr) *debugRecord {
	for start, r := range debugState.records {
		if start < a && a < start+uintptr(r.size) {
			return r
		}
	}
	return nil
}

// debugLook checks one more buffer in quarantine, in turn. The caller holds
// mu.
func debugLook() string {
	q := debugState.quarantine
	if len(q) == 0 {
		return ""
	}
	debugState.next = (debugState.next + 1) % len(q)
	return debugIntact(q[debugState.next])
}

// debugIntact checks the poison of a buffer, and renews it where it was
// overwritten, so as to report it once.
func debugIntact(r *debugRecord) string {
	return debugPoisoned(r, r.held)
}

func debugPoisoned(r *debugRecord, b []byte) string {
	if bytes.Count(b, []byte{poison}) == len(b) {
		return ""
	}
	at := 0
	for b[at] == poison {
		at++
	}
	debugFill(b)
	return debugReport(fmt.Sprintf("write after Put, at offset %d", at), r,
		debugCallers(), "it was noticed")
}

// debugRelease lets the oldest buffer in quarantine go. The caller holds mu.
func debugRelease() string {
	r := debugState.quarantine[0]
	debugState.quarantine = debugState.quarantine[1:]
	debugState.held -= len(r.held)
	fault := debugIntact(r)
	delete(debugState.records, addressOf(r.held))
	r.held = nil
	return fault
}

func debugRaise(fault string) {
	if fault != "" {
		debugFail(fault)
	}
}

func debugFill(b []byte) {
	for i := range b {
		b[i] = poison
	}
}

func debugMisuse() error {
	debugState.mu.Lock()
	defer debugState.mu.Unlock()
	var faults []error
	for _, r := range debugState.quarantine {
		if f := debugIntact(r); f != "" {
			faults = append(faults, errors.New(f))
		}
	}
	return errors.Join(faults...)
}

func debugOutstanding() []string {
	debugState.mu.Lock()
	defer debugState.mu.Unlock()
	var out []string
	for _, r := range debugState.records {
		if r.put == nil {
			out = append(out, debugReport("in use", r, nil, ""))
		}
	}
	return out
}
