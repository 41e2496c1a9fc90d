package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// asCommand makes the test binary the command, for the tests that need a
// process.
const asCommand = "EDDYROOT_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// fixtures is the folder of package rootio's test files, wherever the go
// command has that package from.
var fixtures = sync.OnceValue(func() string {
	cmd := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/eddy-go/eddy/compress/rootio")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		panic(fmt.Sprintf("%v: %s", err, stderr.Bytes()))
	}
	return filepath.Join(strings.TrimSpace(string(out)), "testdata")
})

func fixture(name string) string { return filepath.Join(fixtures(), name) }

// expected is what the fixtures hold, as their generator says.
type expected struct {
	Files []struct {
		File  string
		Trees []struct {
			Tree     string
			Title    string
			Entries  int64
			Branches []struct {
				Name, Type, Counter string
				Entries, Count      int64
				Bytes               int64
				Sum                 *float64
				SHA256              string
				Values              string `json:"sha256_values"`
				Counts              string `json:"sha256_counts"`
			}
		}
		Objects []struct{ Name, Class, Title string }
		Layout  struct {
			Size    int64
			Records map[string]int `json:"records_by_class"`
			Payload int64          `json:"payload_bytes_uncompressed"`
			Baskets map[string]int `json:"baskets_by_tree_and_branch"`
			Keys    []struct {
				Name, Class    string
				Cycle          int
				Offset         int64
				NBytes, KeyLen int
				ObjLen         int
			}
		}
	}
}

var expectations = sync.OnceValue(func() (e expected) {
	text, err := os.ReadFile(fixture("expected.json"))
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err != nil || len(e.Files) == 0 {
		panic(fmt.Sprint("expected.json: ", err))
	}
	return e
})

// command runs the command in this process.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &out, &errs)
	return status, out.String(), errs.String()
}

// succeed runs the command, which must not fail, and returns what it prints.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := command(t, args...)
	if status != 0 || stderr != "" {
		t.Fatalf("%q: status %d: %s", args, status, stderr)
	}
	return stdout
}

// lines reads lines of JSON.
func lines[T any](t *testing.T, text string) []T {
	t.Helper()
	var all []T
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	for dec.More() {
		var v T
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		all = append(all, v)
	}
	return all
}

// save writes a file of a test.
func save(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.root")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// load reads a fixture.
func load(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(fixture(name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestExitStatus(t *testing.T) {
	file := fixture("jagged-zlib1.root")
	none := filepath.Join(t.TempDir(), "none.root")
	for _, c := range []struct {
		args   []string
		status int
		stdout string
		stderr string
	}{
		{[]string{"--help"}, 0, "Usage: eddyroot", ""},
		{[]string{"csv", "--help"}, 0, "--long", ""},
		{[]string{"--version"}, 0, "eddyroot ", ""},
		{[]string{"ls", file}, 0, "clusters;1", ""},
		{nil, 2, "", "eddyroot: expected one of"},
		{[]string{"lsd", file}, 2, "", "unexpected argument lsd"},
		{[]string{"ls"}, 2, "", "expected \"<file> ...\""},
		{[]string{"ls", "--nonsense", file}, 2, "", "unknown flag --nonsense"},
		{[]string{"verify", "--jobs=-1", file}, 2, "", "want 1 to 1024"},
		{[]string{"verify", "--jobs=1025", file}, 2, "", "want 1 to 1024"},
		{[]string{"sum", "-r", "5", file}, 2, "", `range "5"`},
		{[]string{"sum", "-r", "5:1", file}, 2, "", `range "5:1"`},
		{[]string{"sum", "--range=-5:1", file}, 2, "", `range "-5:1"`},
		{[]string{"arrow", "--rows", "0", file}, 2, "", "--rows"},
		{[]string{"arrow", "--format", "x", file}, 2, "", "must be one of"},
		{[]string{"ls", none}, 1, "", none},
		{[]string{"verify", none}, 1, none, ""},
		{[]string{"sum", none}, 1, "", none},
		{[]string{"csv", t.TempDir()}, 1, "", "is a directory"},
		{[]string{"ls", os.DevNull}, 1, "", "is no regular file"},
		{[]string{"sum", fixture("README.md")}, 1, "", "no ROOT file"},
		{[]string{"sum", fixture("hist.root")}, 1, "", "no tree in it"},
		{[]string{"sum", "-t", "nowhere", file}, 1, "", `"nowhere"`},
		{[]string{"sum", "-c", "n,nothing", file}, 1, "", `"nothing"; there are n, cells, label`},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			status, stdout, stderr := command(t, c.args...)
			if status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			for _, text := range []struct{ name, got, want string }{{"stdout", stdout, c.stdout}, {"stderr", stderr, c.stderr}} {
				if !strings.Contains(text.got, text.want) || text.want == "" && text.got != "" {
					t.Errorf("%s %q, want %q in it", text.name, text.got, text.want)
				}
			}
		})
	}
}

// An interrupt ends a command with a status of its own, and what was to become
// a file is gone.
func TestAnInterruptLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"csv", "arrow"} {
		dir := t.TempDir()
		var stdout, stderr bytes.Buffer
		status := run(ctx, []string{name, "-o", filepath.Join(dir, "out"), fixture("jagged-zlib1.root")}, &stdout, &stderr)
		if status != statusInterrupted || stderr.String() != "eddyroot: interrupted\n" {
			t.Errorf("%s: status %d: %s", name, status, stderr.String())
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
			t.Errorf("%s leaves %v, %v", name, entries, err)
		}
	}
	for _, name := range []string{"verify", "sum", "ls"} {
		var stdout, stderr bytes.Buffer
		if status := run(ctx, []string{name, fixture("jagged-zlib1.root")}, &stdout, &stderr); status != statusInterrupted {
			t.Errorf("%s: status %d: %s", name, status, stderr.String())
		}
	}
}

// fullDisk fails after some bytes.
type fullDisk struct{ left int }

func (w *fullDisk) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return 0, errDisk
	}
	w.left -= len(p)
	return len(p), nil
}

var errDisk = fmt.Errorf("no space left")

func TestAWriteThatFails(t *testing.T) {
	file := fixture("jagged-zlib1.root")
	for _, args := range [][]string{{"ls", file}, {"ls", "-b", "--json", file}, {"verify", file}, {"verify", "--json", file},
		{"sum", file}, {"sum", "--json", file}, {"csv", file}, {"arrow", file}, {"arrow", "--format", "file", file}} {
		for _, left := range []int{0, 50} {
			var stderr bytes.Buffer
			status := run(t.Context(), args, &fullDisk{left}, &stderr)
			if status != statusFailed || !strings.Contains(stderr.String(), errDisk.Error()) {
				t.Errorf("%q with room for %d bytes: status %d: %s", args, left, status, stderr.String())
			}
		}
	}
}

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int64
		ok       bool
	}{
		{"", 0, 1<<63 - 1, true}, {":", 0, 1<<63 - 1, true}, {"5:", 5, 1<<63 - 1, true}, {":7", 0, 7, true}, {"5:7", 5, 7, true}, {"5:5", 5, 5, true},
		{"5", 0, 0, false}, {"7:5", 0, 0, false}, {"-1:5", 0, 0, false}, {"a:5", 0, 0, false}, {"1:2:3", 0, 0, false}, {"1:99999999999999999999", 0, 0, false},
	} {
		from, to, err := parseRange(c.text)
		if from != c.from || to != c.to || (err == nil) != c.ok {
			t.Errorf("%q: %d to %d, %v", c.text, from, to, err)
		}
	}
}

func TestColumnsAreChosenInTheOrderAsked(t *testing.T) {
	for _, c := range []struct{ columns, want string }{
		{"", "level tick pulse stamp mode noise"},
		{"noise,level", "noise level"},
		{"*", "level tick pulse stamp mode noise"},
		{"*e,tick,level", "pulse mode noise tick level"},
		{"???k", "tick"},
		{"tick,t*,tick", "tick"},
	} {
		args := []string{"sum", "--json", fixture("scalars-zstd.root")}
		if c.columns != "" {
			args = append(args, "-c", c.columns)
		}
		var got []string
		for _, s := range lines[columnSum](t, succeed(t, args...)) {
			got = append(got, s.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q chooses %q, want %q", c.columns, got, c.want)
		}
	}
	if got := escaped(`a[0].x/y\*`); got != `a\[0].x`+"\x00"+`y\\*` {
		t.Errorf("escaped: %q", got)
	}
}

// ofJSON makes what Decode left of a float a number.
func (f *float) UnmarshalJSON(text []byte) error {
	f.exact = strings.Trim(string(text), `"`)
	_, err := fmt.Sscan(f.exact, &f.f)
	return err
}

func TestSumsAreThoseOfTheGenerator(t *testing.T) {
	for _, file := range expectations().Files {
		for _, tree := range file.Trees {
			t.Run(file.File+"/"+tree.Tree, func(t *testing.T) {
				got := lines[columnSum](t, succeed(t, "sum", "--json", "--sha256", "-t", tree.Tree, fixture(file.File)))
				if len(got) != len(tree.Branches) {
					t.Fatalf("%d columns, want %d", len(got), len(tree.Branches))
				}
				for i, want := range tree.Branches {
					g := got[i]
					if want.Type == "string" {
						want.Bytes -= want.Count - 1 // line feeds between them
					}
					if g.Name != want.Name || g.Type != want.Type || g.Entries != want.Entries || g.Count != want.Count || g.Bytes != want.Bytes {
						t.Errorf("column %+v, want %+v", g, want)
					}
					if (g.Sum == nil) != (want.Sum == nil) || g.Sum != nil && g.Sum.f != *want.Sum {
						t.Errorf("%s: sum %v, want %v", g.Name, g.Sum, want.Sum)
					}
					hash := want.SHA256
					if want.Values != "" {
						hash = ""
					}
					if g.Hash != hash || g.Values != want.Values || g.Counts != want.Counts {
						t.Errorf("%s: hashes %q %q %q, want %q %q %q", g.Name, g.Hash, g.Values, g.Counts, hash, want.Values, want.Counts)
					}
				}
			})
		}
	}
}

// Ranges that meet add up to the whole.
func TestSumsOfRanges(t *testing.T) {
	file := fixture("jagged-zlib1.root")
	whole := lines[columnSum](t, succeed(t, "sum", "--json", file))
	var counts, entries [3]int64
	for _, r := range []string{":1", "1:1234", "1234:4999", "4999:", "5000:", "9999:"} {
		for i, s := range lines[columnSum](t, succeed(t, "sum", "--json", "-r", r, file)) {
			counts[i] += s.Count
			entries[i] += s.Entries
			if s.Entries == 0 && (s.Min != nil || s.Count != 0) {
				t.Errorf("%s of %s: least %v of %d values", s.Name, r, s.Min, s.Count)
			}
		}
	}
	for i, s := range whole {
		if counts[i] != s.Count || entries[i] != s.Entries {
			t.Errorf("%s: %d values of %d entries, want %d of %d", s.Name, counts[i], entries[i], s.Count, s.Entries)
		}
	}
}

// A branch may have fewer entries than its tree. Its sum is of those that it
// has; side by side with others the difference is an error.
func TestBranchesThatAreShorterThanTheTree(t *testing.T) {
	data := load(t, "scalars-none.root")
	tree := bytes.Index(data, []byte("\x05drift\x14slow control samples"))
	var entries [8]byte
	binary.BigEndian.PutUint64(entries[:], 40000)
	at := bytes.Index(data[tree:], entries[:])
	data[tree+at+7]++ // the tree's own number is the first
	path := save(t, data)
	for _, args := range [][]string{{}, {"-r", "39999:"}, {"-r", "40000:"}} {
		for _, s := range lines[columnSum](t, succeed(t, append([]string{"sum", "--json", path}, args...)...)) {
			if s.First+s.Entries != 40000 || s.Count != s.Entries {
				t.Errorf("%q: entries %d to %d, %d values", args, s.First, s.First+s.Entries, s.Count)
			}
		}
	}
	for _, name := range []string{"csv", "arrow"} {
		status, _, stderr := command(t, name, path)
		if status != statusFailed || !strings.Contains(stderr, "branch level: ") || !strings.Contains(stderr, "40001") || !strings.Contains(stderr, "with -c") {
			t.Errorf("%s: status %d: %s", name, status, stderr)
		}
		succeed(t, name, "-r", ":40000", path)
	}
}

// Neither are entries lost that a branch has beyond those of its tree.
func TestBranchesThatAreLongerThanTheTree(t *testing.T) {
	data := load(t, "scalars-none.root")
	tree := bytes.Index(data, []byte("\x05drift\x14slow control samples"))
	var entries [8]byte
	binary.BigEndian.PutUint64(entries[:], 40000)
	data[tree+bytes.Index(data[tree:], entries[:])+6] = 0
	path := save(t, data)
	for _, s := range lines[columnSum](t, succeed(t, "sum", "--json", path)) {
		if s.Entries != 40000 {
			t.Errorf("%s: %d entries", s.Name, s.Entries)
		}
	}
	if n := strings.Count(succeed(t, "csv", path), "\n"); n != 40001 {
		t.Errorf("%d lines", n)
	}
}

func TestTheSumTable(t *testing.T) {
	text := succeed(t, "sum", "--sha256", "-c", "stamp,tick", fixture("scalars-zstd.root"))
	rows := strings.Split(strings.TrimSpace(text), "\n")
	want := []string{"stamp", "int64", "40000", "40000", "64000041577344620", "1600000000064", "1600002076759", "0",
		"a20c17fdc29f533b7a5da1ad67ce921a74c1dbb4265bfd38256054ae66c76fed"}
	if len(rows) != 3 || !slices.Equal(strings.Fields(rows[1]), want) {
		t.Errorf("%s\nwant %q in the second row", text, want)
	}
}
