package apidiff

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

func check(t *testing.T, path, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

const whole = `
const Max = 3
const Kind K = 1
type K byte
var Err error
func Do(n int, s ...string) (K, error) { return 0, nil }
type S struct {
	A int ` + "`json:\"a\"`" + `
	B []K
	*Inner
	hidden int
}
type Inner struct{}
func (Inner) Up() {}
type Pair struct { X, Y int }
func (p Pair) Sum() int { return 0 }
func (p *Pair) Set(x int) {}
type I interface { M(K) error }
`

// Each edit takes one thing away from the whole, and that must be reported.
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"nothing", "", "", nil},
		{"more is no fault", "const Max = 3", "const Max = 3\nconst More = 1\nfunc (Inner) More() {}\n", nil},
		{"other names of parameters", "Do(n int, s ...string) (K, error)", "Do(m int, _ ...string) (k K, err error)", nil},
		{"constant gone", "const Max = 3", "", []string{"Max is missing"}},
		{"constant of another value", "Max = 3", "Max = 4", []string{"Max is 4, want 3"}},
		{"constant of another type", "Kind K = 1", "Kind int = 1", []string{"Kind is int, want p.K"}},
		{"constant became a variable", "const Max = 3", "var Max = 3", []string{"Max is a *types.Var, want a *types.Const"}},
		{"variable of another type", "Err error", "Err string", []string{"Err is string, want error"}},
		{"function of another signature", "s ...string", "s []string",
			[]string{"Do is func(int, []string) (p.K, error), want func(int, ...string) (p.K, error)"}},
		{"function became a variable", "func Do(n int, s ...string) (K, error) { return 0, nil }",
			"var Do = func(n int, s ...string) (K, error) { return 0, nil }", []string{"Do is a *types.Var, want a *types.Func"}},
		{"type of another kind", "type K byte", "type K int", []string{"K's underlying type is int, want byte"}},
		{"field gone", "	B []K\n", "", []string{"S.B is missing"}},
		{"field of another type", "B []K", "B []int", []string{"S.B is []int, want []p.K"}},
		{"tag gone", "`json:\"a\"`", "", []string{`S.A has the tag "", want "json:\"a\""`}},
		{"no longer embedded", "	*Inner\n", "	Inner *Inner\n",
			[]string{"(*S).Up is missing", "(S).Up is missing", "S.Inner: embedded is false, want true"}},
		{"one more field in a struct of exported ones", "X, Y int", "X, Y, Z int",
			[]string{"Pair can no longer be written without field names"}},
		{"unexported field in a struct of exported ones", "X, Y int", "X, Y int; z int",
			[]string{"Pair can no longer be written without field names"}},
		{"no longer comparable", "type Pair struct { X, Y int }", "type Pair struct { X, Y int; f func() }",
			[]string{"Pair can no longer be written without field names", "Pair cannot be compared with =="}},
		{"method gone", "func (p *Pair) Set(x int) {}", "", []string{"(*Pair).Set is missing"}},
		{"method on the pointer only", "(p Pair) Sum", "(p *Pair) Sum", []string{"(Pair).Sum is missing"}},
		{"method of another signature", "Set(x int)", "Set(x int64)", []string{"(*Pair).Set is func(int64), want func(int)"}},
		{"interface asks for more", "M(K) error }", "M(K) error; N() }", []string{"I asks for the method N, which it must not"}},
		{"interface asks for less", "M(K) error }", "}", []string{"(I).M is missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := strings.Replace(whole, c.old, c.new, 1)
			if c.old != "" && src == whole {
				t.Fatal("the edit changes nothing")
			}
			got := Missing(check(t, "a/p", whole), check(t, "b/p", src), "a/p.", "p.", "b/p.", "p.")
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestAliasesCountAsWhatTheyName(t *testing.T) {
	want := check(t, "a/p", "type T struct{ A int }\nfunc (*T) M() {}\nfunc F(T) {}")
	have := check(t, "b/p", "type T = t\ntype t struct{ A int }\nfunc (*t) M() {}\nfunc F(T) {}")
	if got := Missing(want, have, "a/p.", "p.", "b/p.", "p."); len(got) > 0 {
		t.Errorf("got %q", got)
	}
	gone := check(t, "b/p", "type T = t\ntype t struct{}\nfunc F(T) {}")
	if got := Missing(want, gone, "a/p.", "p.", "b/p.", "p."); len(got) != 3 {
		t.Errorf("got %q, want T.A, (*T).M and unkeyed literals", got)
	}
}
