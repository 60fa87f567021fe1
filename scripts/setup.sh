# shellcheck shell=bash
# Functions for the other scripts, which source this file. Every check is cheap; only what is missing is installed.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
web=$root/tests/web
tools=${POSENC_TOOLS:-${HOME:-/root}/.cache/posenc}
trunk_version=0.21.14
mdbook_version=0.5.2
geckodriver_version=0.37.1
biome_version=2.6.8
deny_version=0.20.2
mutants_version=27.1.0
# Unoptimised tools compile in half the time and are fast enough.
unoptimised=(CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_LTO=off)
export PATH="$web/node_modules/.bin:$tools/biome/node_modules/.bin:$tools/bin:${CARGO_HOME:-${HOME:-/root}/.cargo}/bin:$PATH"
# Trunk reads NO_COLOR as true or false and fails for other values.
if [ -n "${NO_COLOR+set}" ]; then export NO_COLOR=true; fi
cd "$root"

say() { printf '%s\n' "$*"; }

stop() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# The progress of a command, read from its log: cargo's "45/312" or npm's; empty if the log has none.
progress_in() { tail -c 2000 "$1" | tr '\r' '\n' | grep -oE '\b[0-9]+/[0-9]+\b' | tail -n1 | sed 's#/# of #' || true; }

# quietly NAME COMMAND…: runs the command with its output in a log and shows its progress, in place on a terminal and every
# 15 seconds otherwise; a failure is reported as one line that names the log.
quietly() {
  local name=$1 log=$tools/log/$1.log begin=$SECONDS said=$SECONDS pid status=0
  shift
  mkdir -p "${log%/*}" || stop "cannot write to $tools: set POSENC_TOOLS to a folder that can be written."
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  # An interrupt of this script does not reach a command in the background.
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.2
    if [ -t 1 ]; then
      printf '\r\033[K  %s  %s s  %s' "$name" "$((SECONDS - begin))" "$(progress_in "$log")"
    elif ((SECONDS - said >= 15)); then
      said=$SECONDS
      say "  $name: $((SECONDS - begin)) s $(progress_in "$log")"
    fi
  done
  wait "$pid" || status=$?
  trap - INT TERM
  if [ -t 1 ]; then printf '\r\033[K'; fi
  [ "$status" = 0 ] || stop "could not install $name: is there a network? The details are in $log"
}

packages=()

# want COMMAND PACKAGE…: notes Debian packages if a command is missing; install_packages installs them all at once.
want() { has "$1" || packages+=("${@:2}"); }

install_packages() {
  [ ${#packages[@]} -gt 0 ] || return 0
  local list=${packages[*]} as=()
  has apt-get || stop "missing: $list (Debian's names). Install them with this system's package manager and run this again."
  if [ "$(id -u)" != 0 ]; then
    if ! has sudo || ! sudo -n true 2>/dev/null; then
      stop "missing: $list. Run: sudo apt-get update && sudo apt-get install --no-install-recommends $list"
    fi
    as=(sudo -n)
  fi
  say "Installing Debian packages${as:+ with sudo}: $list"
  as+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0)
  quietly package-lists "${as[@]}" update
  quietly packages "${as[@]}" install -y --no-install-recommends "${packages[@]}"
  packages=()
}

# at_least MINIMUM VERSION: whether VERSION is not lower.
at_least() { [ "$(printf '%s\n%s\n' "$1" "${2#v}" | sort -V | head -n1)" = "$1" ]; }

need_rust() {
  has cargo || stop "Rust is missing: install it as https://rustup.rs says and run this again."
  local least have
  least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
  have=$(rustc --version | cut -d' ' -f2)
  at_least "$least" "${have%%-*}" ||
    stop "Rust $have is too old, this needs $least: run rustup update and then this again."
}

need_wasm_target() {
  [ -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ] && return
  has rustup || stop "the target wasm32-unknown-unknown is missing: install it beside this Rust and run this again."
  say "Installing the target wasm32-unknown-unknown"
  quietly wasm-target rustup target add wasm32-unknown-unknown
}

# Prints the architecture by its Rust name on Linux systems for which prebuilt programs exist; prints nothing elsewhere.
linux_architecture() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) printf x86_64 ;;
    Linux-aarch64) printf aarch64 ;;
  esac
}

# The SHA-256 sums of Trunk $trunk_version, as published with its release.
trunk_sum() {
  case $1 in
    x86_64) printf a67f4054b249fe9acc5fabc25de1aebf19783aca3ad6ff64bf34d7da44d0ea20 ;;
    aarch64) printf e8e2a2bb423ce6702ab9f4f02f8c9ae99d790f0301f7634e986b2dd8706019cc ;;
  esac
}

# POSENC_RELEASES may name a mirror; if it is empty, everything is compiled.
releases=${POSENC_RELEASES-https://github.com}

# download ADDRESS FILE: has short time limits, so that an unavailable release is compiled instead.
download() { curl --proto '=https,file' --tlsv1.2 -fsSL --connect-timeout 5 --max-time 60 -o "$2" "$1" 2>/dev/null; }

# need_release COMMAND VERSION ADDRESS SUM: installs a prebuilt program from its release archive; fails if that cannot be
# downloaded or verified. Without SUM, the checksum published beside it (ADDRESS.sha256sum) is used.
need_release() {
  local command=$1 version=$2 address=$3 sum=$4 folder have
  [ -n "$releases" ] && has curl && has tar && has sha256sum || return 1
  folder=$(mktemp -d)
  say "Downloading $command $version"
  if ! download "$address" "$folder/archive"; then
    say "  cannot be had from ${address%%/"${address#*://*/}"}"
  elif [ -z "$sum" ] && ! download "$address.sha256sum" "$folder/sum"; then
    say "  has no published checksum"
  elif [ "${sum:=$(cut -d' ' -f1 "$folder/sum")}" != "$(sha256sum "$folder/archive" | cut -d' ' -f1)" ]; then
    say "  has the wrong checksum and is not used"
  else
    mkdir -p "$folder/unpacked" "$tools/bin"
    if tar -xzf "$folder/archive" -C "$folder/unpacked" 2>/dev/null; then
      find "$folder/unpacked" -type f -perm -u+x -exec mv -f {} "$tools/bin/" \;
      hash -r
    fi
    have=$("$tools/bin/$command" --version 2>/dev/null || true)
    if [ "${have%%$'\n'*}" = "$command $version" ]; then
      rm -rf "$folder"
      return
    fi
    say "  does not run here"
  fi
  rm -rf "$folder"
  return 1
}

# have_tool COMMAND VERSION: whether the command on PATH has exactly this version.
have_tool() {
  local have
  have=$("$1" --version 2>/dev/null || true)
  have=${have%%$'\n'*}
  [ "${have/ v/ }" = "$1 $2" ]
}

# need_crate COMMAND CRATE VERSION [VARIABLE=value…] [-- OPTION…]: compiles the crate unless the command is installed.
need_crate() {
  local command=$1 crate=$2 version=$3 settings=()
  if have_tool "$command" "$version"; then return; fi
  shift 3
  while [ $# -gt 0 ] && [ "$1" != -- ]; do settings+=("$1") && shift; done
  say "Compiling $crate $version into $tools (a few minutes, once)"
  quietly "$crate" env CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=100 "${settings[@]}" \
    cargo install "$crate@$version" --force --root "$tools" "${@:2}"
  hash -r
}

need_trunk() {
  local architecture
  if have_tool trunk "$trunk_version"; then return; fi
  architecture=$(linux_architecture)
  [ -n "$architecture" ] && need_release trunk "$trunk_version" \
    "$releases/trunk-rs/trunk/releases/download/v$trunk_version/trunk-$architecture-unknown-linux-musl.tar.gz" "$(trunk_sum "$architecture")" ||
    need_crate trunk trunk "$trunk_version" "${unoptimised[@]}" -- --locked --no-default-features --features rustls
}

# The version of the wasm-bindgen crate; its releases have published checksums.
need_wasm_bindgen() {
  local version architecture
  version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/.*"\(.*\)"/\1/p}' Cargo.lock)
  grep -q "^wasm_bindgen = \"$version\"" Trunk.toml || stop "Trunk.toml must name wasm-bindgen $version as Cargo.lock does."
  if have_tool wasm-bindgen "$version"; then return; fi
  architecture=$(linux_architecture)
  [ -n "$architecture" ] && need_release wasm-bindgen "$version" \
    "$releases/wasm-bindgen/wasm-bindgen/releases/download/$version/wasm-bindgen-$version-$architecture-unknown-linux-musl.tar.gz" "" ||
    need_crate wasm-bindgen wasm-bindgen-cli "$version"
}

need_node_packages() {
  at_least 18.19 "$(node --version)" || stop "Node $(node --version) is too old, this needs 18.19 or newer."
  cmp -s "$web/package-lock.json" "$web/node_modules/.installed" && return
  say "Installing the npm packages of tests/web"
  quietly npm-packages npm ci --prefix "$web" --no-audit --no-fund
  cp "$web/package-lock.json" "$web/node_modules/.installed"
}

# Biome formats and checks the JavaScript. It is not one of the packages of tests/web, because it has a binary for each
# system, and npm's lock file would have to list all of them.
need_biome() {
  [ "$(biome --version 2>/dev/null)" = "Version: $biome_version" ] && return
  say "Installing Biome $biome_version into $tools"
  quietly biome npm install --prefix "$tools/biome" --no-audit --no-fund --no-package-lock "@biomejs/biome@$biome_version"
  hash -r
}

# Installs everything that building and serving needs.
need_build_tools() {
  need_rust
  want cc gcc libc6-dev
  want node nodejs
  want npm npm
  want xz xz-utils
  install_packages
  need_wasm_target
  need_trunk
  need_wasm_bindgen
  need_node_packages
}

# Without the code that fetches the advisory database over git, which takes most of the compile time: git itself is used
# instead.
need_cargo_deny() { need_crate cargo-deny cargo-deny "$deny_version" "${unoptimised[@]}" -- --locked --no-default-features; }

need_cargo_mutants() { need_crate cargo-mutants cargo-mutants "$mutants_version" "${unoptimised[@]}" -- --locked; }

# Prints the path of the first of the commands that is installed.
first_of() {
  local name
  for name in "$@"; do has "$name" && command -v "$name" && return; done
  return 0
}

# Prints the first Python on this computer that can create virtual environments for JupyterLab.
python_for_jupyter() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      printf '%s\n' "$python"
      return
    fi
  done
  return 0
}

# JupyterLab with anywidget, and Jupyter Book, in a virtual environment; JUPYTER is the folder of its programs.
need_jupyter() {
  local folder=$tools/jupyter python
  export JUPYTER=$folder/bin
  cmp -s "$web/jupyter.txt" "$folder/.installed" && return
  python=$(python_for_jupyter)
  if [ -z "$python" ]; then
    [ -z "${CI:-}" ] || stop "Python 3.10 or newer with venv is missing."
    say "Python 3.10 or newer with venv is missing: the tests in JupyterLab and of Jupyter Book are left out."
    JUPYTER=
    return
  fi
  say "Installing JupyterLab, anywidget and Jupyter Book into $folder (two minutes, once)"
  quietly jupyter-folder "$python" -m venv --clear "$folder"
  quietly jupyter "$folder/bin/pip" install --disable-pip-version-check -r "$web/jupyter.txt"
  cp "$web/jupyter.txt" "$folder/.installed"
}

# Chromium's headless shell, without the user interface, opens pages in a third of the time. Debian has it since version 12,
# few others do; where it is missing, Chromium itself runs the tests.
need_headless_shell() {
  HEADLESS_CHROMIUM=${HEADLESS_CHROMIUM:-$(first_of chromium-headless-shell)}
  if [ -z "$HEADLESS_CHROMIUM" ] && has apt-cache && apt-cache show chromium-headless-shell >/dev/null 2>&1; then
    packages+=(chromium-headless-shell)
    install_packages
    HEADLESS_CHROMIUM=$(first_of chromium-headless-shell)
  fi
  HEADLESS_CHROMIUM=${HEADLESS_CHROMIUM:-$CHROMIUM}
}

# Installs the build tools, browsers with their drivers, JupyterLab and the tools that build the examples. CHROMIUM,
# HEADLESS_CHROMIUM, CHROMEDRIVER, FIREFOX, GECKODRIVER and WEBKITDRIVER override Debian's; tests in Firefox and WebKit are
# skipped where these are missing and cannot be installed, except in continuous integration.
need_test_tools() {
  local name
  for name in CHROMIUM HEADLESS_CHROMIUM CHROMEDRIVER FIREFOX GECKODRIVER WEBKITDRIVER; do
    [ -z "${!name:-}" ] || has "${!name}" || stop "$name names ${!name}, which is not there."
  done
  # A given CHROMIUM is used for all tests.
  if [ -n "${CHROMIUM:-}" ]; then HEADLESS_CHROMIUM=${HEADLESS_CHROMIUM:-$(command -v "$CHROMIUM")}; fi
  [ -n "${CHROMIUM:-}" ] || want chromium chromium
  [ -n "${CHROMEDRIVER:-}" ] || want chromedriver chromium-driver
  FIREFOX=${FIREFOX:-$(first_of firefox-esr firefox)}
  if has apt-get && { [ -n "${CI:-}" ] || [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
    [ -n "$FIREFOX" ] || packages+=(firefox-esr)
    [ -n "${WEBKITDRIVER:-}" ] || want WebKitWebDriver webkit2gtk-driver
    want xvfb-run xvfb
    want xauth xauth
  fi
  # The Python module in the lesson's code is executed by the tests.
  has_numpy() { "$1" -c 'import numpy' 2>/dev/null; }
  if has apt-get && ! has_numpy python3 && ! has_numpy /usr/bin/python3; then packages+=(python3 python3-numpy); fi
  if has apt-get && [ -z "$(python_for_jupyter)" ]; then packages+=(python3 python3-venv); fi
  if has apt-get && ! compgen -G '/usr/share/fonts/*/noto/NotoSansCJK*' >/dev/null; then packages+=(fonts-noto-cjk); fi
  # Quarto reads its documents with pandoc; examples/quarto is tested with it.
  if has apt-get; then want pandoc pandoc; fi
  need_build_tools
  CHROMIUM=$(command -v "${CHROMIUM:-chromium}")
  need_headless_shell
  CHROMEDRIVER=$(command -v "${CHROMEDRIVER:-chromedriver}")
  FIREFOX=$(first_of "${FIREFOX:-firefox-esr}" firefox)
  if [ -z "$FIREFOX" ]; then
    [ -z "${CI:-}" ] || stop "Firefox is missing."
    say "Firefox is missing: the tests in it are left out."
  elif [ -z "${GECKODRIVER:-}" ]; then
    need_crate geckodriver geckodriver "$geckodriver_version" "${unoptimised[@]}" -- --locked
  fi
  GECKODRIVER=$(first_of "${GECKODRIVER:-geckodriver}")
  WEBKITDRIVER=$(first_of "${WEBKITDRIVER:-WebKitWebDriver}")
  if [ -z "$WEBKITDRIVER" ] || ! has xvfb-run; then
    [ -z "${CI:-}" ] || stop "WebKitWebDriver or xvfb-run is missing."
    say "WebKitWebDriver or xvfb-run is missing: the tests in WebKit are left out."
    WEBKITDRIVER=
  fi
  export CHROMIUM HEADLESS_CHROMIUM CHROMEDRIVER FIREFOX GECKODRIVER WEBKITDRIVER
  need_jupyter
  # mdBook builds the book of examples/mdbook.
  need_crate mdbook mdbook "$mdbook_version" "${unoptimised[@]}" -- --locked --no-default-features
  need_cargo_deny
  need_biome
  export POSENC_TOOLS=$tools
}

# Builds dist/ in release mode if a source has changed since the last build. Any other Trunk build of dist/ removes the mark.
build_site() {
  local mark=dist/.built begun
  if [ -e "$mark" ] && [ -z "$(find .cargo build.rs Cargo.lock Cargo.toml Trunk.toml index.html scripts/kit scripts/setup.sh crates src static -newer "$mark" -print -quit)" ]; then
    return
  fi
  begun=$(mktemp)
  RUST_BACKTRACE=0 trunk build --release --locked || stop "the build failed, see above."
  node scripts/kit/site.mjs || stop "the single files could not be made, see above."
  mv "$begun" "$mark"
}
