# Each module by itself: in the workspace, the peers that bench imports raise versions for all.

# bench's tests run in the workspace; here it is enough that they compile.
tests() {
	if [[ $1 == bench ]]; then echo '^$'; else echo .; fi
}

# tidied compares what go mod tidy makes of a copy, but for the sums of the tree's own modules: they exist once released.
tidied() {
	local dir=$1 copy=$2 f
	(cd "$copy" && GOWORK=off go mod tidy)
	for f in go.mod go.sum; do
		diff -u <(grep -v '^github.com/eddy-go/eddy[ /]' "$dir/$f") <(grep -v '^github.com/eddy-go/eddy[ /]' "$copy/$f") ||
			return 1
	done
}

for dir in "${MODULES[@]}"; do
	if unreplaced "$dir"; then
		proxy=$EDDY_CI_TMP/proxy copy=$EDDY_CI_TMP/copy/$dir
		if [[ ! -d $proxy ]]; then go run ./internal/release/check -pack "$proxy"; fi
		mkdir -p "$copy"
		cp -r "$dir/." "$copy"
		(
			GOPROXY="file://$proxy,file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)"
			export GOPROXY GOMODCACHE=$EDDY_CI_TMP/modcache GONOSUMDB='github.com/eddy-go/*' GOFLAGS="$GOFLAGS -mod=mod"
			keep tidied "$dir" "$copy"
			keep within "$copy" go build ./...
			keep within "$copy" go vet ./...
			keep within "$copy" go test -run "$(tests "$dir")" ./...
			settle
		) || FAULTS+=("$dir")
		continue
	fi
	keep within "$dir" go build ./...
	keep within "$dir" go vet ./...
	keep within "$dir" go test -run "$(tests "$dir")" ./...
	keep within "$dir" go mod tidy -diff
	keep within "$dir" go mod verify
done
settle
