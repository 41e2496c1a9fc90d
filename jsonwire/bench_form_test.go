package jsonwire

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// Each class of text beside encoding/json, 20 strings an op.
func BenchmarkStrings(b *testing.B) {
	for _, class := range []struct{ name, s string }{
		{"short", "en"},
		{"ascii", "Words of plain text, none of them special in any way, in a row"},
		{"url", "https://posts.example/v2/feed?page=2&sort=new"},
		{"html", `<p class="x">one & two</p> <b>and more</b>`},
		{"cyrillic", "Съешь ещё этих мягких французских булок, да выпей чаю"},
		{"cjk", "敏捷的棕色狐狸跳过了懒狗。今天天气很好"},
		{"latin", "Größe der Straße für müde Bären über Öl"},
		{"emoji", "party tonight 🎉 bring your drinks 🍺 see you"},
		{"controls", "a\x01b\x02c\nd\n\x1f\x1e\x1d tab\t"},
		{"invalid", "abc\xff\xfe def\xc0\x80 \xed\xa0\x80 x"},
		{"long", strings.Repeat("Words of plain text, none of them special in any way. ", 40)},
	} {
		list := make([]string, 20)
		for i := range list {
			list[i] = class.s
		}
		b.Run(class.name+"/impl=eddy", func(b *testing.B) {
			buf := make([]byte, 0, 1<<20)
			for b.Loop() {
				out := append(buf, '[')
				for _, s := range list {
					out = append(AppendString(out, s, 0), ',')
				}
			}
		})
		b.Run(class.name+"/impl=std", func(b *testing.B) {
			enc := json.NewEncoder(io.Discard)
			for b.Loop() {
				enc.Encode(list)
			}
		})
	}
}
