# The tests with the checks of debug builds.
keep say go test -tags eddydebug work
for dir in "${OUTSIDE[@]}"; do
	keep within "$dir" go test -tags eddydebug ./...
done
settle
