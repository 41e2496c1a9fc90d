// Package payload makes the documents of the JSON table from a fixed seed:
// posts with mixed scripts, URLs, integers, booleans and nulls, at three sizes.
package payload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/eddy-go/eddy/bench/internal/payload/upstream/post"
)

// Small returns a document of 81 bytes, a post.Small.
func Small() []byte {
	return encode(post.Small{ID: 481516, Post: 421, User: "martak", Emoji: "🌊", Seen: true})
}

// Medium returns a document of about 9 KB, a post.Feed.
func Medium() []byte { return encode(feed(13, 10)) }

// Large returns a document of about 440 KB, a post.Feed.
func Large() []byte { return encode(feed(3, 510)) }

// encode writes what a service sends: no HTML escaping, as easyjson and
// encoding/json both read it.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // the types are our own and have no value that cannot be written
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func feed(seed uint64, posts int) post.Feed {
	g := &gen{rand.New(rand.NewPCG(seed, 0xedd1))}
	f := post.Feed{
		Total: 100 + g.IntN(900_000),
		Next:  fmt.Sprintf("https://posts.example/v2/feed?page=2&per_page=%d&sort=new", posts),
		Posts: make([]post.Post, posts),
	}
	for i := range f.Posts {
		f.Posts[i] = g.post()
	}
	return f
}

// gen draws all that a post needs from one source.
type gen struct{ *rand.Rand }

func (g *gen) id() int64 { return 1<<40 + g.Int64N(1<<50) }

// one is true once in n times.
func (g *gen) one(n int) bool { return g.IntN(n) == 0 }

func (g *gen) post() post.Post {
	s := &scripts[g.script()]
	p := post.Post{
		ID: g.id(),
		Author: post.Author{
			ID:        g.id(),
			Name:      g.words(s, 2),
			Avatar:    fmt.Sprintf("https://cdn.example/a/%x.webp?s=96&v=%d", g.Uint32(), g.IntN(9)),
			Verified:  g.one(4),
			Followers: g.IntN(1 << (4 + g.IntN(18))),
		},
		Title:  g.words(s, 3+g.IntN(4)),
		Text:   g.text(s, 14+g.IntN(14)),
		URL:    fmt.Sprintf("https://posts.example/p/%x?utm_source=feed&utm_medium=web&ref=%d", g.Uint64(), g.IntN(1000)),
		Lang:   s.lang,
		Likes:  g.IntN(5000),
		Shares: g.IntN(300),
		Pinned: g.one(12),
		Edited: g.one(5),
		Tags:   make([]string, g.IntN(4)),
	}
	for i := range p.Tags {
		p.Tags[i] = g.words(&scripts[0], 1)
	}
	if g.one(3) {
		id := g.id()
		p.ReplyTo = &id
	}
	if g.one(3) {
		p.Media = &post.Media{
			URL:   fmt.Sprintf("https://cdn.example/m/%x.jpg?w=1200&q=%d", g.Uint64(), 60+g.IntN(40)),
			Width: 200 + g.IntN(2000), Height: 200 + g.IntN(2000),
			Alt: g.words(s, 4),
		}
	}
	p.Comments = make([]post.Comment, g.IntN(4))
	for i := range p.Comments {
		p.Comments[i] = post.Comment{
			ID: g.id(), User: g.id(), Text: g.text(&scripts[g.script()], 3+g.IntN(8)),
			Likes: g.IntN(50), Hidden: g.one(20),
		}
	}
	return p
}

// script weighs the scripts: half of the texts are Latin, a quarter Cyrillic.
func (g *gen) script() int { return [...]int{0, 0, 0, 1, 1, 2, 3, 4}[g.IntN(8)] }

// A script makes words from parts, so that no list of words is needed.
type script struct {
	lang  string
	parts []string
	space string // between words
	end   string // of a sentence
	long  int    // most parts of a word
}

var scripts = []script{
	{"en", strings.Fields("an ter lo mi ver ro sta in ke du pol ra el mo ti con ne sha bri us"), " ", ". ", 4},
	{"ru", strings.Fields("во да ре ка мо ст ло пе ни та ско ве зи ма ль бо ро го"), " ", ". ", 4},
	{"zh", strings.Fields("水 流 河 海 天 地 人 山 石 火 風 雨 光 月 木 花 春 秋 新 古"), "", "。", 3},
	{"ja", strings.Fields("な が れ み ず う み カ ワ 川 波 の 音 を き く"), "", "。", 4},
	{"fr", strings.Fields("é cou le ment ri viè re à ça naï ve tour bil lon où ê tre"), " ", ". ", 3},
}

var emoji = strings.Fields("🌊 🐟 😀 ✨ 🚀 👍 🎉")

func (g *gen) words(s *script, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(s.space)
		}
		for range 1 + g.IntN(s.long) {
			b.WriteString(s.parts[g.IntN(len(s.parts))])
		}
	}
	return b.String()
}

// text strings sentences together, with the quotes, line breaks, markup and
// emoji that people put in.
func (g *gen) text(s *script, words int) string {
	var b strings.Builder
	for words > 0 {
		n := min(words, 3+g.IntN(6))
		words -= n
		sentence := g.words(s, n)
		switch g.IntN(10) {
		case 0:
			sentence = `"` + sentence + `"`
		case 1:
			sentence += " " + emoji[g.IntN(len(emoji))]
		case 2:
			sentence += " <3 & more"
		}
		b.WriteString(sentence)
		if words > 0 {
			b.WriteString(s.end)
			if g.one(6) {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}
