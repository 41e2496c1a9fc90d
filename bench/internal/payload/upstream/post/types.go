// Package post holds the types of the JSON table's documents with the methods
// that easyjson's generator made for them.
package post

// Small is the shortest document: a reaction to a post.
//
//easyjson:json
type Small struct {
	ID     int64   `json:"id"`
	Post   int64   `json:"post"`
	User   string  `json:"user"`
	Emoji  string  `json:"emoji"`
	Seen   bool    `json:"seen"`
	Reason *string `json:"reason"`
}

// Feed is a page of posts.
//
//easyjson:json
type Feed struct {
	Total   int     `json:"total"`
	Next    string  `json:"next"`
	Cursor  *string `json:"cursor"`
	Partial bool    `json:"partial"`
	Posts   []Post  `json:"posts"`
}

// Post is what somebody wrote.
type Post struct {
	ID       int64     `json:"id"`
	Author   Author    `json:"author"`
	Title    string    `json:"title"`
	Text     string    `json:"text"`
	URL      string    `json:"url"`
	Lang     string    `json:"lang"`
	Tags     []string  `json:"tags"`
	Likes    int       `json:"likes"`
	Shares   int       `json:"shares"`
	Pinned   bool      `json:"pinned"`
	Edited   bool      `json:"edited"`
	ReplyTo  *int64    `json:"reply_to"`
	Media    *Media    `json:"media"`
	Comments []Comment `json:"comments"`
}

// Author is who wrote it.
type Author struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	Avatar    string `json:"avatar"`
	Verified  bool   `json:"verified"`
	Followers int    `json:"followers"`
}

// Media is a picture that belongs to a post.
type Media struct {
	URL    string `json:"url"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Alt    string `json:"alt"`
}

// Comment is an answer.
type Comment struct {
	ID     int64  `json:"id"`
	User   int64  `json:"user"`
	Text   string `json:"text"`
	Likes  int    `json:"likes"`
	Hidden bool   `json:"hidden"`
}
