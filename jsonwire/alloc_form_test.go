package jsonwire

import (
	"testing"
	"time"

	"github.com/eddy-go/eddy/internal/race"
)

func TestFormingAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	buf := make([]byte, 0, 4096)
	now := time.Now()
	data := []byte("some bytes")
	raw := []byte(`{"a": [1, 2, "<three>"]}`)
	for name, form := range map[string]func(){
		"AppendString":   func() { AppendString(buf, "text & Текст 文字 😀 \xff\n", 0) },
		"AppendInt":      func() { AppendInt(buf, -1234567890123) },
		"AppendFloat":    func() { AppendFloat(buf, 1.25e-7, 64) },
		"AppendFloatG":   func() { AppendFloatG(buf, 1.25e-7, 64) },
		"AppendBase64":   func() { AppendBase64(buf, data) },
		"AppendTime":     func() { AppendTime(buf, now) },
		"AppendRaw":      func() { AppendRaw(buf, raw) },
		"AppendCompact":  func() { AppendCompact(buf, raw, 0) },
		"PutString":      func() { PutString(buf[:cap(buf)], 0, "text", 0) },
		"AppendQuoted":   func() { AppendQuotedUint(buf, 1<<60) },
		"AppendKey":      func() { AppendKey(buf, "name", 0) },
		"AppendStringB.": func() { AppendStringBytes(buf, data, NoHTML) },
	} {
		if n := testing.AllocsPerRun(100, form); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
