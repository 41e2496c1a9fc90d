# What the parts share; sourced by .ci/run before each.

STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.8.2
NEXT_GO=go1.27.4

# A clone that belongs to someone else makes the go command fail when it stamps the version.
GOFLAGS="$(go env GOFLAGS) -buildvcs=false"
export GOFLAGS

# files lists what belongs to the tree: what is tracked and what is about to be. Patterns narrow it.
files() {
	git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while read -r f; do
		if [[ -f $f ]]; then echo "$f"; fi
	done
}

# MODULES are the folders of the modules, the root as a dot. LIBRARIES run everywhere, which bench does not: it imports
# peers that are bound to a few platforms. OUTSIDE are those that go.work does not use.
MODULES=($(files go.mod '*/go.mod' | sed -E '/(^|\/)testdata\//d; s/(^|\/)go\.mod$//; s/^$/./' | sort))
# UNREPLACED have a requirement of another module of the tree without a replace, as one whose commands are installed by
# version has to: until a release such a version exists in the workspace, and in a proxy packed from the tree.
LIBRARIES=() OUTSIDE=() UNREPLACED=()
WORKSPACE=$(go work edit -json)
for dir in "${MODULES[@]}"; do
	mod=$(cd "$dir" && go mod edit -json | tr -d ' \n\t')
	if grep -q '"Path":"github.com/eddy-go/eddy[^"]*","Version"' <<<"$mod" &&
		! grep -q '"Old":{"Path":"github.com/eddy-go/eddy' <<<"$mod"; then UNREPLACED+=("$dir"); fi
	if [[ $dir != bench ]]; then LIBRARIES+=("$dir"); fi
	if ! grep -q -E "\"DiskPath\": \"(\./)?$dir\"" <<<"$WORKSPACE"; then OUTSIDE+=("$dir"); fi
done

# say prints a command and runs it.
say() {
	echo "+ $*"
	"$@"
}

# unreplaced tells whether a module is among UNREPLACED.
unreplaced() { [[ " ${UNREPLACED[*]} " == *" $1 "* ]]; }

# alone runs a command in the folder of a module, without the workspace where the module can do without.
alone() {
	local dir=$1 work=off
	shift
	if unreplaced "$dir"; then work=; fi
	(cd "$dir" && GOWORK=$work "$@")
}

# within prints a command and runs it alone.
within() {
	echo "+ ($1) ${*:2}"
	alone "$@"
}

# keep runs a command and goes on when it fails, so that one run shows every fault; settle then fails the part.
FAULTS=()
keep() {
	if ! "$@"; then FAULTS+=("$*"); fi
}
settle() {
	if ((${#FAULTS[@]} == 0)); then return; fi
	echo "${#FAULTS[@]} commands failed:"
	printf '  %s\n' "${FAULTS[@]}"
	return 1
}

# install makes Debian packages available.
install() {
	local sudo=
	if [[ $(id -u) != 0 ]]; then sudo=sudo; fi
	if [[ ! -f $EDDY_CI_TMP/apt-updated ]]; then
		$sudo apt-get update -q >"$EDDY_CI_TMP/apt.log" 2>&1 || { cat "$EDDY_CI_TMP/apt.log"; return 1; }
		touch "$EDDY_CI_TMP/apt-updated"
	fi
	DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends "$@" >"$EDDY_CI_TMP/apt.log" 2>&1 ||
		{ cat "$EDDY_CI_TMP/apt.log"; return 1; }
}
