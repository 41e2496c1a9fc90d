# Builds for the platforms that no test runs on here; vet type-checks their tests as well.
for target in windows/amd64 darwin/arm64 js/wasm linux/arm64; do
	export GOOS=${target%/*} GOARCH=${target#*/}
	echo "+ $target"
	for dir in "${MODULES[@]}"; do
		keep within "$dir" go build ./...
		keep within "$dir" go vet ./...
	done
done
settle
