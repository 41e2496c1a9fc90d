package jsonwire

import (
	"testing"

	"github.com/eddy-go/eddy/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }
