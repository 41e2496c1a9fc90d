# compress against the C tools, both ways, and the rows of the C libraries in its table, which need cgo.
install gzip pigz zstd lz4 xz-utils libdeflate-dev zlib1g-dev
command -v gcc >/dev/null || install gcc libc6-dev
keep within compress go vet -tags ctools ./...
keep within compress go test -count=1 -tags ctools ./...
keep within compress go test -tags purego ./internal/inflate ./deflate ./zlib ./gzip ./rootio # without pointers and assembly
export CGO_ENABLED=1
keep say go vet -tags cbench ./bench
rows=$EDDY_CI_TMP/rows
keep say go run -tags cbench ./bench -table block -case '^zlib6_32K_decompress$' -rounds 3 >"$rows"
cat "$rows"
for row in libdeflate zlib; do # a row that fails its check has no figure
	keep grep -q -E "^  $row +[0-9]" "$rows"
done
settle
