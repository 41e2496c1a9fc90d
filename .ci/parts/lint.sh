# gofmt, go vet and staticcheck, with and without the checks of debug builds.
unformatted=$(files '*.go' | xargs -d '\n' gofmt -l)
if [[ -n $unformatted ]]; then
	echo "gofmt would change:"
	echo "$unformatted"
	FAULTS+=(gofmt)
fi
for tags in '' eddydebug; do
	keep say go vet -tags "$tags" work
	for dir in "${OUTSIDE[@]}"; do
		keep within "$dir" go vet -tags "$tags" ./...
	done
	for dir in "${MODULES[@]}"; do
		keep within "$dir" go run "$STATICCHECK" -tags "$tags" ./...
	done
done
settle
