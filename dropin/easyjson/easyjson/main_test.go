package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheRecipeIsThatOfTheREADME(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(recipe, "\n\n")
	if !strings.HasPrefix(code, "    cp go.mod ") {
		t.Fatalf("the recipe begins with %q", code)
	}
	if !strings.Contains(strings.ReplaceAll(string(readme), "\r\n", "\n"), "\n\n"+code+"\n") {
		t.Errorf("README.md does not have\n%s", code)
	}
}

func TestItPrintsTheRecipeAndFails(t *testing.T) {
	var stderr strings.Builder
	if status := run(&stderr); status != 1 || stderr.String() != recipe {
		t.Errorf("status %d, and on stderr:\n%s", status, stderr.String())
	}
}
