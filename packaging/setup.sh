# Shared by quickstart and check: installs what the build needs and configures it. Sourced, not run.
# shellcheck shell=bash

# Build and run time needs on Debian 12; see the README for what each is for.
FUSESCOPE_PACKAGES=(
    g++ cmake ninja-build ccache mold pkg-config
    qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-translations-l10n libgl1-mesa-dev
    libqcustomplot-dev libqscintilla2-qt6-dev libgraphviz-dev fonts-dejavu-core fonts-noto-cjk
    libsqlite3-dev libfmt-dev libcli11-dev nlohmann-json3-dev
    python3-dev python3-numpy
    libdnnl-dev llvm-16-dev libsleef-dev
)
FUSESCOPE_TEST_PACKAGES=(libgtest-dev libgmock-dev libbenchmark-dev python3-torch python3-protobuf xvfb xauth)

say() { printf '\n== %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

project_root() { cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd; }

# install_packages NAME…: installs what is missing; asks for nothing when all is there.
install_packages() {
    local missing=() name
    for name in "$@"; do
        dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    command -v apt-get >/dev/null || die "this needs Debian's apt-get; on other systems install: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "run as root, or install sudo; missing packages: ${missing[*]}"
        as_root=(sudo)
    fi
    say "Installing ${#missing[@]} packages: ${missing[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
}

# build_project PRESET TARGET…: configures when needed and builds.
build_project() {
    local preset=$1
    shift
    cmake --preset "$preset" >&2
    cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"} >&2
}
