// Package apidiff tells what users of one package would miss in another that
// claims to stand in for it.
package apidiff

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// A comparison of two packages whose import paths differ.
type comparison struct {
	paths   *strings.Replacer // brings the paths of both sides to one form
	missing []string
}

// Missing compares every exported name of want with have: constants by type and
// value, variables and functions by type, types by kind, exported fields
// (with tag), methods (on the value and on the pointer), and whether == works. Paths
// holds pairs of import path prefixes that count as the same, as
// strings.NewReplacer takes them. What have has beyond want is not reported, except
// fields in a struct that want's users can write without field names.
func Missing(want, have *types.Package, paths ...string) []string {
	c := &comparison{paths: strings.NewReplacer(paths...)}
	for _, name := range want.Scope().Names() {
		w := want.Scope().Lookup(name)
		if !w.Exported() {
			continue
		}
		h := have.Scope().Lookup(name)
		if h == nil {
			c.miss("%s is missing", name)
			continue
		}
		c.object(name, w, h)
	}
	slices.Sort(c.missing)
	return c.missing
}

func (c *comparison) miss(format string, args ...any) {
	c.missing = append(c.missing, fmt.Sprintf(format, args...))
}

// text writes a type so that equal types of both sides read the same.
func (c *comparison) text(t types.Type) string {
	return c.paths.Replace(types.TypeString(t, nil))
}

func (c *comparison) object(name string, want, have types.Object) {
	if w, h := fmt.Sprintf("%T", want), fmt.Sprintf("%T", have); w != h {
		c.miss("%s is a %s, want a %s", name, h, w)
		return
	}
	switch w := want.(type) {
	case *types.TypeName:
		c.typeName(name, w, have.(*types.TypeName))
	case *types.Const:
		if !constant.Compare(w.Val(), tokenEQL, have.(*types.Const).Val()) {
			c.miss("%s is %s, want %s", name, have.(*types.Const).Val(), w.Val())
		}
		c.sameType(name, want.Type(), have.Type())
	default:
		c.sameType(name, want.Type(), have.Type())
	}
}

// sameType compares types without the names of parameters.
func (c *comparison) sameType(name string, want, have types.Type) {
	w, h := c.text(unnamed(want)), c.text(unnamed(have))
	if w != h {
		c.miss("%s is %s, want %s", name, h, w)
	}
}

// unnamed is a signature without the names of its parameters and results,
// which callers do not see; other types as they are.
func unnamed(t types.Type) types.Type {
	sig, ok := t.(*types.Signature)
	if !ok {
		return t
	}
	strip := func(in *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range in.Variables() {
			vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, strip(sig.Params()), strip(sig.Results()), sig.Variadic())
}

func (c *comparison) typeName(name string, want, have *types.TypeName) {
	w, h := types.Unalias(want.Type()), types.Unalias(have.Type())
	wu, hu := w.Underlying(), h.Underlying()
	switch wu := wu.(type) {
	case *types.Struct:
		hs, ok := hu.(*types.Struct)
		if !ok {
			c.miss("%s is a %s, want a struct", name, c.text(hu))
			return
		}
		c.fields(name, wu, hs)
	case *types.Interface:
		if _, ok := hu.(*types.Interface); !ok {
			c.miss("%s is a %s, want an interface", name, c.text(hu))
			return
		}
		// More methods would break who implements it, so both must be the same.
		for i := range hu.(*types.Interface).NumMethods() {
			m := hu.(*types.Interface).Method(i)
			if obj, _, _ := types.LookupFieldOrMethod(wu, false, m.Pkg(), m.Name()); obj == nil {
				c.miss("%s asks for the method %s, which it must not", name, m.Name())
			}
		}
	default:
		c.sameType(name+"'s underlying type", wu, hu)
	}
	if types.Comparable(w) && !types.Comparable(h) {
		c.miss("%s cannot be compared with ==", name)
	}
	c.methods(name, w, h)
	if !types.IsInterface(w) {
		c.methods("*"+name, types.NewPointer(w), types.NewPointer(h))
	}
}

func (c *comparison) fields(name string, want, have *types.Struct) {
	type field struct {
		v   *types.Var
		tag string
	}
	byName := map[string]field{}
	for i := range have.NumFields() {
		byName[have.Field(i).Name()] = field{have.Field(i), have.Tag(i)}
	}
	positional := want.NumFields() > 0
	for i := range want.NumFields() {
		w := want.Field(i)
		if !w.Exported() {
			positional = false
			continue
		}
		label := name + "." + w.Name()
		h, ok := byName[w.Name()]
		if !ok {
			c.miss("%s is missing", label)
			continue
		}
		c.sameType(label, w.Type(), h.v.Type())
		if w.Embedded() != h.v.Embedded() {
			c.miss("%s: embedded is %v, want %v", label, h.v.Embedded(), w.Embedded())
		}
		if want.Tag(i) != h.tag {
			c.miss("%s has the tag %q, want %q", label, h.tag, want.Tag(i))
		}
	}
	if !positional {
		return
	}
	same := want.NumFields() == have.NumFields()
	for i := 0; same && i < want.NumFields(); i++ {
		same = want.Field(i).Name() == have.Field(i).Name()
	}
	if !same {
		c.miss("%s can no longer be written without field names", name)
	}
}

func (c *comparison) methods(name string, want, have types.Type) {
	ws, hs := types.NewMethodSet(want), types.NewMethodSet(have)
	for m := range ws.Methods() {
		w := m.Obj()
		if !w.Exported() {
			continue
		}
		h := hs.Lookup(nil, w.Name())
		if h == nil {
			c.miss("(%s).%s is missing", name, w.Name())
			continue
		}
		c.sameType("("+name+")."+w.Name(), w.Type(), h.Obj().Type())
	}
}
