package sftp

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/bench/interop/apidiff"
)

// beyond is what eddy's client has and the peer's has not, but for the context forms of what both have.
var beyond = []string{
	"(*Client).ExpandPath", "(*Client).FS", "(*Client).FSContext", "(*Client).HomeDirectory", "(*Client).Lchmod", "(*Client).Lchown",
	"(*Client).Lchtimes", "(*Client).Limits", "(*Client).UsersGroupsByID", "(*File).Chtimes", "(*File).CopyTo", "(*File).StatVFS",
	"(*StatusError).Is", "ConnError", "ErrBadName", "ErrClientClosed", "Limits", "MaxBufferBytes", "MaxRequests", "ProtocolError", "Stripes",
}

// Whoever goes back to the peer finds here what he has to do without.
func TestWhatIsBeyondThePeer(t *testing.T) {
	l, err := apidiff.NewLoader(".", true, "-mod=readonly", peerPath, eddyPath)
	if err != nil {
		t.Fatal(err)
	}
	peer, err := l.Package(peerPath)
	if err != nil {
		t.Fatal(err)
	}
	eddy, err := l.Package(eddyPath)
	if err != nil {
		t.Fatal(err)
	}
	var more []string
	for _, miss := range apidiff.Missing(eddy, peer, peerPath, eddyPath) {
		name, is := strings.CutSuffix(miss, " is missing")
		if plain, form := strings.CutSuffix(name, "Context"); is && !(form && has(peer, plain)) {
			more = append(more, name)
		}
	}
	if !slices.Equal(more, beyond) {
		t.Errorf("%q, want %q", more, beyond)
	}
}

// has tells whether a package has a name, or a method in the form (*Type).Method.
func has(p *types.Package, name string) bool {
	recv, method, ok := strings.Cut(strings.TrimPrefix(name, "(*"), ").")
	obj := p.Scope().Lookup(recv)
	if !ok || obj == nil {
		return obj != nil
	}
	return types.NewMethodSet(types.NewPointer(obj.Type())).Lookup(p, method) != nil
}

// Everything that may wait for the server has a form with a context, or takes one.
func TestWhateverWaitsTakesAContext(t *testing.T) {
	l, err := apidiff.NewLoader(".", true, "-mod=readonly", eddyPath)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Package(eddyPath)
	if err != nil {
		t.Fatal(err)
	}
	takes := func(f types.Object) bool {
		params := f.Type().(*types.Signature).Params()
		return params.Len() > 0 && params.At(0).Type().String() == "context.Context"
	}
	fails := func(f types.Object) bool {
		results := f.Type().(*types.Signature).Results()
		return results.Len() > 0 && results.At(results.Len()-1).Type().String() == "error"
	}
	seen := 0
	for _, name := range []string{"Client", "File"} {
		methods := types.NewMethodSet(types.NewPointer(p.Scope().Lookup(name).Type()))
		for m := range methods.Methods() {
			f := m.Obj()
			if !f.Exported() || !fails(f) && f.Name() != "Walk" && f.Name() != "FS" || takes(f) {
				continue
			}
			seen++
			if form := methods.Lookup(p, f.Name()+"Context"); form == nil || !takes(form.Obj()) {
				t.Errorf("(*%s).%s has no form with a context", name, f.Name())
			}
		}
	}
	for _, name := range []string{"NewClient", "NewClientPipe"} {
		seen++
		if form := p.Scope().Lookup(name + "Context"); form == nil || !takes(form) {
			t.Errorf("%s has no form with a context", name)
		}
	}
	if seen < 45 {
		t.Errorf("only %d seen", seen)
	}
}
