# Each module by itself: in the workspace, the peers that bench imports raise versions for all.
for dir in "${MODULES[@]}"; do
	keep within "$dir" go build ./...
	keep within "$dir" go vet ./...
	if [[ $dir == bench ]]; then
		keep within "$dir" go test -run '^$' ./... # compiles; the tests run in the workspace
	else
		keep within "$dir" go test ./...
	fi
	keep within "$dir" go mod tidy -diff
	keep within "$dir" go mod verify
done
settle
