# Imports point one way: see the layout in CONTRIBUTING.md.
root=github.com/eddy-go/eddy

if [[ $(GOWORK=off go list -m all) != "$root" ]]; then
	echo "the root module requires other modules:"
	GOWORK=off go list -m all
	exit 1
fi
GOWORK=off go list -deps . >"$EDDY_CI_TMP/deps"
if grep -x net "$EDDY_CI_TMP/deps"; then
	echo "package eddy imports net"
	exit 1
fi

# imports writes lines "importer imported" of the packages at hand and of their tests, also those behind build tags; the
# packages of the tree by their folder.
imports() {
	for tags in '' eddydebug,ctools; do
		go list -tags "$tags" -f '{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}
{{end}}{{range .TestImports}}{{$p}} {{.}}
{{end}}{{range .XTestImports}}{{$p}} {{.}}
{{end}}' ./...
	done | sort -u | sed -E "/^\$/d; s|$root/||g; s|$root( \|\$)|.\\1|g"
}

others=$(printf '|%s' "${MODULES[@]:1}") # the root comes first

# allow FROM TO: what importers that match FROM import of the tree has to match TO.
allow() {
	awk -v from="^($1)\$" -v to="^($2)\$" -v own="^([.]|internal/.*|buffer|jsonwire|easyjson|debug|adapt$others)(/.*)?\$" '
		$1 != $2 && $1 ~ from && $2 ~ own && $2 !~ to { print $1 " imports " $2; bad = 1 }
		END { exit bad }' "$EDDY_CI_TMP/imports"
}
GOWORK=off imports >"$EDDY_CI_TMP/imports"
allow '[.]' 'internal/.*'
allow 'buffer(/.*)?' '[.]|internal/.*'
allow 'jsonwire(/.*)?' '[.]|internal/.*|(buffer|jsonwire)(/.*)?'
allow 'easyjson(/.*)?' '[.]|internal/.*|(buffer|jsonwire|easyjson)(/.*)?'

# Modules are versioned apart, so the internal packages of one are no business of another: the go command sees to that where
# they are below a module's folder, and the rule here to those of the root. And modules are siblings, of which only bench
# and the commands import others: the rest, whether named here or to come, stand on the root's packages alone.
for dir in "${MODULES[@]}"; do
	if [[ $dir == . ]]; then continue; fi
	alone "$dir" imports >"$EDDY_CI_TMP/imports"
	allow '.*' '([^i]|i[^n]|in[^t]).*'
	case $dir in
	bench) ;;
	cmd) allow '.*' '([.]|buffer|jsonwire|easyjson|cmd|kiota|sftp|compress|tools)(/.*)?' ;;
	kiota) allow '.*' '([.]|buffer|jsonwire|kiota)(/.*)?' ;; # what it shared with easyjson would sink
	dropin/easyjson) allow '.*' 'easyjson(/.*)?' ;;
	*) allow '.*' "([.]|buffer|jsonwire|easyjson|$dir)(/.*)?" ;;
	esac
done
