# The tree names no path of a machine it was written on and no host of a package registry, and holds nothing big.
bad=0

listed=$EDDY_CI_TMP/files
files >"$listed"

if xargs -d '\n' grep -n -I -E '(^|[^A-Za-z0-9_.])/(work|root|tmp/[a-z]+|home/[a-z]+)/' <"$listed"; then
	echo "paths of a machine, above"
	bad=1
fi
if xargs -d '\n' grep -n -I -E '(proxy|sum|deb|registry)[.](golang|debian|npmjs)[.][a-z]|GOPROXY=[h]ttp' <"$listed"; then
	echo "hosts of a registry, above"
	bad=1
fi

while read -r f; do
	if (($(stat -c %s "$f") > 2 << 20)); then
		echo "$f: over 2 MB"
		bad=1
	fi
done <"$listed"

# The README's program is an Example that runs.
sed -n '/^```go$/,/^```$/{/^```/d;p}' README.md >"$EDDY_CI_TMP/snippet"
if [[ ! -s $EDDY_CI_TMP/snippet ]]; then
	echo "README.md shows no code"
	bad=1
fi
sed -i 's/^package main$/package eddy_test/; s/^func main() {$/func Example_readme() {/' "$EDDY_CI_TMP/snippet"
if ! grep -v -E '^// |^[[:space:]]// Output: ' example_readme_test.go | diff -u - "$EDDY_CI_TMP/snippet"; then
	echo "README.md: its program differs from example_readme_test.go, as above"
	bad=1
fi

# go.work.sum is complete: the go command would write to it otherwise, and a clone show a change that nobody made.
cp go.work.sum "$EDDY_CI_TMP/go.work.sum"
go list -m all >"$EDDY_CI_TMP/modules"
go list -deps -test work >"$EDDY_CI_TMP/packages"
if ! diff -u "$EDDY_CI_TMP/go.work.sum" go.work.sum; then
	echo "go.work.sum: changed by go list, as above"
	bad=1
fi

# A warning only: some files are one idea and long.
while read -r f; do
	lines=$(wc -l <"$f")
	if ((lines > 500)) && ! grep -q -E '^// Code generated .* DO NOT EDIT\.$' "$f"; then
		echo "warning: $f has $lines lines"
	fi
done < <(grep '\.go$' "$listed")

((bad == 0))
