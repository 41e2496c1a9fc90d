package jsonserialization_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/eddy-go/eddy"
)

// TestMain checks at the end that every writer of the tests was closed and gave
// all its memory back.
func TestMain(m *testing.M) {
	eddy.CountPuts(true)
	code := m.Run()
	if code == 0 {
		for _, p := range pools() {
			if p.InUse != 0 {
				fmt.Printf("FAIL: %d pieces of %s were not given back\n", p.InUse, p.Name)
				code = 1
			}
		}
	}
	os.Exit(code)
}

// pools returns the pools of this package.
func pools() (list []eddy.Stats) {
	for _, p := range eddy.Pools() {
		if strings.HasPrefix(p.Name, "kiota/") {
			list = append(list, p)
		}
	}
	return list
}
