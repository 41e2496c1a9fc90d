package rootio

// oldBranch reads a TBranch of a version below 10, which ROOT wrote by code of
// its own: numbers of entries are of four bytes, and offsets of four or eight.
func (r *rbuf) oldBranch(o *object) {
	add := func(name string, v any) {
		o.members = append(o.members, member{name: name, value: v})
	}
	ints := func(names ...string) {
		for _, n := range names {
			add(n, int64(r.i32()))
		}
	}
	if o.version < 6 {
		r.fail("a TBranch of version %d", o.version)
		return
	}
	o.members = append(o.members, member{name: "TNamed", base: true, value: r.object("TNamed")})
	if o.version > 7 {
		o.members = append(o.members, member{name: "TAttFill", base: true, value: r.object("TAttFill")})
	}
	ints("fCompress", "fBasketSize", "fEntryOffsetLen", "fWriteBasket", "fEntryNumber", "fOffset", "fMaxBaskets")
	if o.version > 6 {
		ints("fSplitLevel")
	}
	add("fEntries", r.f64())
	add("fTotBytes", r.f64())
	add("fZipBytes", r.f64())
	add("fBranches", r.object("TObjArray"))
	add("fLeaves", r.object("TObjArray"))
	add("fBaskets", r.object("TObjArray"))
	n, _ := o.int("fMaxBaskets")
	r.u8()
	add("fBasketBytes", r.array(typInt, n, nil))
	r.u8()
	add("fBasketEntry", r.array(typInt, n, nil))
	typ := typInt
	if r.u8() == 2 {
		typ = typLong64
	}
	add("fBasketSeek", r.array(typ, n, nil))
	add("fFileName", r.str())
}
