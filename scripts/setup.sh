# shellcheck shell=bash
# Functions for the other scripts, which source this file. Every check is cheap; only what is missing is installed.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kit=$root/scripts/kit
web=$root/tests/web
tools=${POSENC_TOOLS:-${HOME:-/root}/.cache/posenc}
trunk_version=0.21.14
mdbook_version=0.5.2
geckodriver_version=0.37.1
biome_version=2.6.8
deny_version=0.20.2
mutants_version=27.1.0
# Has cargo say how far it is where its output goes to a log.
progress=(CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=100)
export PATH="$kit/node_modules/.bin:$web/node_modules/.bin:$tools/biome/node_modules/.bin:$tools/bin:${CARGO_HOME:-${HOME:-/root}/.cargo}/bin:$PATH"
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

# Jobs are commands that run beside each other, each with its output in a log. A job is noted with a name and about how many
# seconds of one core it takes; run_jobs runs all that are noted.
job_names=() job_costs=() job_commands=()

# job NAME COST COMMAND…: a job that several parts of the work need is noted once.
job() {
  case " ${job_names[*]} " in *" $1 "*) return ;; esac
  job_names+=("$1")
  job_costs+=("$2")
  job_commands+=("$(printf '%q ' "${@:3}")")
}

# The number of processors, of which a build rarely keeps more than four busy.
cores() {
  local count
  count=$(getconf _NPROCESSORS_ONLN 2>/dev/null || printf 2)
  printf '%s' "$((count > 4 ? 4 : count))"
}

# seconds_of COST…: about how many seconds these take together on this computer.
seconds_of() {
  local sum=0 cost
  for cost in "$@"; do sum=$((sum + cost)); done
  printf '%s' "$((sum / $(cores)))"
}

# about SECONDS: the time in words, rounded up to half minutes.
about() {
  local halves=$((($1 + 29) / 30))
  if ((halves < 2)); then
    printf 'less than a minute'
  elif ((halves == 2)); then
    printf 'about a minute'
  else
    printf 'about %s%s minutes' "$((halves / 2))" "$([ $((halves % 2)) = 0 ] || printf '½')"
  fi
}

# run_jobs: shows how far the jobs are, in place on a terminal and every 15 seconds otherwise. If one fails, the others are
# ended, and one line names its log.
run_jobs() {
  [ ${#job_names[@]} -gt 0 ] || return 0
  local folder=$tools/log begin=$SECONDS said=$SECONDS i state failed='' of='' pids=() running=() words
  mkdir -p "$folder" || stop "cannot write to $tools: set POSENC_TOOLS to a folder that can be written."
  i=$(seconds_of "${job_costs[@]}")
  if ((i > 0)); then of=" of $(about "$i")"; fi
  # Each in a process group of its own, so that all of it can be ended.
  set -m
  for i in "${!job_names[@]}"; do
    (eval "${job_commands[i]}") >"$folder/${job_names[i]}.log" 2>&1 </dev/null &
    pids[i]=$!
    running[i]=1
  done
  set +m
  # An interrupt of this script does not reach commands in the background.
  trap 'for i in "${pids[@]}"; do kill -- -"$i" 2>/dev/null; done; exit 130' INT TERM
  while [ ${#running[@]} -gt 0 ] && [ -z "$failed" ]; do
    sleep 0.2
    words=
    for i in "${!running[@]}"; do
      if kill -0 "${pids[i]}" 2>/dev/null; then
        state=$(progress_in "$folder/${job_names[i]}.log")
        words+=" · ${job_names[i]}${state:+ $state}"
      else
        unset "running[i]"
        wait "${pids[i]}" || failed=${job_names[i]}
      fi
    done
    words="  $((SECONDS - begin)) s$of$words"
    if [ -t 1 ]; then
      printf '\r\033[K%s' "${words:0:${COLUMNS:-100}}"
    elif ((SECONDS - said >= 15)); then
      said=$SECONDS
      say "$words"
    fi
  done
  if [ -t 1 ]; then printf '\r\033[K'; fi
  for i in "${!running[@]}"; do
    kill -- -"${pids[i]}" 2>/dev/null || true
    wait "${pids[i]}" 2>/dev/null || true
  done
  trap - INT TERM
  if [ -n "$failed" ]; then
    tail -n 20 "$folder/$failed.log" >&2
    stop "$failed failed, see above; the whole log is $folder/$failed.log"
  fi
  job_names=() job_costs=() job_commands=()
}

# quietly NAME COMMAND…: runs one command as a job.
quietly() {
  job "$1" 0 "${@:2}"
  run_jobs
}

packages=()

# want COMMAND PACKAGE…: notes Debian packages if a command is missing; install_packages installs them all at once.
want() { has "$1" || packages+=("${@:2}"); }

# Debian has Chromium's headless shell since version 12, few others do.
has_headless_shell() { apt-cache show chromium-headless-shell >/dev/null 2>&1; }
name_chromium() { has_headless_shell || packages=("${packages[@]/#chromium-headless-shell/chromium}"); }

install_packages() {
  [ ${#packages[@]} -gt 0 ] || return 0
  local as=()
  has apt-get || stop "missing: ${packages[*]} (Debian's names). Install them with this system's package manager and run this again."
  if [ "$(id -u)" != 0 ]; then
    if ! has sudo || ! sudo -n true 2>/dev/null; then
      name_chromium
      stop "missing: ${packages[*]}. Run: sudo apt-get update && sudo apt-get install --no-install-recommends ${packages[*]}"
    fi
    as=(sudo -n)
  fi
  as+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0)
  say "Reading the lists of Debian packages"
  quietly package-lists "${as[@]}" update
  # Without the lists it is not known which packages there are.
  name_chromium
  say "Installing Debian packages$([ "${as[0]}" != sudo ] || printf ' with sudo'): ${packages[*]}"
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

# download ADDRESS FILE: has short time limits, so that an unavailable release is compiled instead. Where there is no
# connection (5 to 7, 28, 35), nothing more is asked for.
download() {
  local status=0
  curl --proto '=https,file' --tlsv1.2 -fsSL --connect-timeout 5 --max-time 60 -o "$2" "$1" 2>/dev/null || status=$?
  case $status in 5 | 6 | 7 | 28 | 35) releases='' ;; esac
  return "$status"
}

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

# need_crate COMMAND CRATE VERSION COST [OPTION…]: notes a job that compiles the crate, unless the command is installed.
# Unoptimised tools compile in half the time and are fast enough.
need_crate() {
  if have_tool "$1" "$3"; then return; fi
  job "$2" "$4" env "${progress[@]}" CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_LTO=off \
    cargo install "$2@$3" --force --root "$tools" "${@:5}"
}

# Without the code for encrypted connections: what Trunk would download is installed already.
need_trunk() {
  local architecture
  if have_tool trunk "$trunk_version"; then return; fi
  architecture=$(linux_architecture)
  [ -n "$architecture" ] && need_release trunk "$trunk_version" \
    "$releases/trunk-rs/trunk/releases/download/v$trunk_version/trunk-$architecture-unknown-linux-musl.tar.gz" "$(trunk_sum "$architecture")" ||
    need_crate trunk trunk "$trunk_version" 420 --locked --no-default-features
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
    need_crate wasm-bindgen wasm-bindgen-cli "$version" 170 --no-default-features
}

# need_npm FOLDER NAME: notes a job that installs the packages of the lock file in this folder, unless they are installed.
need_npm() {
  at_least 18.19 "$(node --version)" || stop "Node $(node --version) is too old, this needs 18.19 or newer."
  if cmp -s "$1/package-lock.json" "$1/node_modules/.installed"; then return; fi
  job "$2" 10 install_npm "$1"
}

install_npm() {
  npm ci --prefix "$1" --no-audit --no-fund
  cp "$1/package-lock.json" "$1/node_modules/.installed"
}

# Biome formats and checks the JavaScript. It is not one of the packages of tests/web, because it has a binary for each
# system, and npm's lock file would have to list all of them.
need_biome() {
  if [ "$(biome --version 2>/dev/null)" = "Version: $biome_version" ]; then return; fi
  job biome 5 npm install --prefix "$tools/biome" --no-audit --no-fund --no-package-lock "@biomejs/biome@$biome_version"
}

# Prints the path of the first of the commands that is installed.
first_of() {
  local name
  for name in "$@"; do has "$name" && command -v "$name" && return; done
  return 0
}

# Prints the first Python on this computer for which the test is true.
python_with() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c "$1" 2>/dev/null; then
      printf '%s\n' "$python"
      return
    fi
  done
  return 0
}
# Virtual environments for JupyterLab.
python_for_jupyter() { python_with 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))'; }

# JupyterLab and marimo with anywidget, and Jupyter Book, in a virtual environment.
install_jupyter() {
  "$1" -m venv --clear "$tools/jupyter"
  "$tools/jupyter/bin/pip" install --disable-pip-version-check -r "$web/jupyter.txt"
  cp "$web/jupyter.txt" "$tools/jupyter/.installed"
}

# left_out WHAT: says that tests are left out; continuous integration leaves none out.
left_out() {
  [ -z "${CI:-}" ] || stop "$1 is missing."
  say "$1 is missing: the tests with it are left out."
}

# What these name in the environment: other programs than Debian's.
declare -A given
for name in CHROMIUM HEADLESS_CHROMIUM CHROMEDRIVER FIREFOX GECKODRIVER WEBKITDRIVER; do given[$name]=${!name:-}; done

# Finds what is installed by now. Chromium's headless shell, without the user interface, opens pages in a third of the time.
find_programs() {
  local name
  for name in "${!given[@]}"; do
    [ -z "${given[$name]}" ] || has "${given[$name]}" || stop "$name names ${given[$name]}, which is not there."
  done
  CHROMIUM=${given[CHROMIUM]:-$(first_of chromium chromium-browser google-chrome)}
  # A given Chromium is used for all tests.
  HEADLESS_CHROMIUM=${given[HEADLESS_CHROMIUM]:-${given[CHROMIUM]:-$(first_of chromium-headless-shell)}}
  HEADLESS_CHROMIUM=${HEADLESS_CHROMIUM:-$CHROMIUM}
  CHROMEDRIVER=${given[CHROMEDRIVER]:-$(first_of chromedriver)}
  FIREFOX=${given[FIREFOX]:-$(first_of firefox-esr firefox)}
  GECKODRIVER=${given[GECKODRIVER]:-$(first_of geckodriver)}
  has xvfb-run && WEBKITDRIVER=${given[WEBKITDRIVER]:-$(first_of WebKitWebDriver)} || WEBKITDRIVER=
  [ -x "$tools/jupyter/bin/python" ] && JUPYTER=$tools/jupyter/bin || JUPYTER=
  export CHROMIUM HEADLESS_CHROMIUM CHROMEDRIVER FIREFOX GECKODRIVER WEBKITDRIVER JUPYTER POSENC_TOOLS=$tools
}

# want_for PART: notes the Debian packages that a part of the work needs. What only some systems have is left out elsewhere.
want_for() {
  case $1 in
    build)
      want node nodejs
      want npm npm
      want xz xz-utils
      ;;
    quick)
      want node nodejs
      want npm npm
      ;;
    page)
      if [ -z "$HEADLESS_CHROMIUM" ] && has apt-cache; then packages+=(chromium-headless-shell); fi
      ;;
    chromium)
      want "${CHROMIUM:-chromium}" chromium
      want "${CHROMEDRIVER:-chromedriver}" chromium-driver
      if has apt-cache && [ -z "${given[CHROMIUM]}${given[HEADLESS_CHROMIUM]}" ] && [ "$HEADLESS_CHROMIUM" = "$CHROMIUM" ]; then
        # Where Chromium is there without it, it is wanted only if there is one.
        if [ -z "$CHROMIUM" ] || has_headless_shell; then packages+=(chromium-headless-shell); fi
      fi
      # The tests look at printed pages.
      if has apt-get; then want pdftoppm poppler-utils; fi
      if has apt-get && ! compgen -G '/usr/share/fonts/*/noto/NotoSansCJK*' >/dev/null; then packages+=(fonts-noto-cjk); fi
      if has apt-get && ! compgen -G '/usr/share/fonts/*/dejavu/DejaVuSans.ttf' >/dev/null; then packages+=(fonts-dejavu-core); fi
      ;;
    engines)
      if has apt-get && { [ -n "${CI:-}" ] || [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
        want "${FIREFOX:-firefox-esr}" firefox-esr
        want WebKitWebDriver webkit2gtk-driver
        want xvfb-run xvfb
        want xauth xauth
      fi
      ;;
    # The Python module in the lesson's code is executed by the tests.
    python)
      if has apt-get && [ -z "$(python_with 'import numpy')" ]; then packages+=(python3 python3-numpy); fi
      ;;
    # Quarto reads its documents with pandoc; examples/quarto is tested with it.
    packages)
      if has apt-get && [ -z "$(python_for_jupyter)" ]; then packages+=(python3 python3-venv); fi
      if has apt-get; then want pandoc pandoc; fi
      ;;
  esac
}

# install_for PART: notes the jobs that a part of the work needs.
install_for() {
  local python
  case $1 in
    build)
      need_wasm_target
      need_trunk
      need_wasm_bindgen
      need_npm "$kit" npm-for-building
      if ! core_is_built; then job core 200 env "${progress[@]}" cargo build "${core[@]}"; fi
      ;;
    quick) need_biome ;;
    page | chromium | packages) need_npm "$web" npm-for-testing ;;&
    page) [ -n "$(find_programs && printf %s "$HEADLESS_CHROMIUM")" ] || left_out Chromium ;;
    engines)
      [ -n "${FIREFOX:-$(first_of firefox-esr firefox)}" ] || left_out Firefox
      [ -n "${WEBKITDRIVER:-$(first_of WebKitWebDriver)}" ] && has xvfb-run || left_out "WebKitWebDriver or xvfb-run"
      if [ -z "$GECKODRIVER" ]; then need_crate geckodriver geckodriver "$geckodriver_version" 150 --locked; fi
      ;;
    # Without the code that fetches the advisory database over git, which takes most of the compile time: git itself is used
    # instead.
    licences) need_crate cargo-deny cargo-deny "$deny_version" 190 --locked --no-default-features ;;
    mutants) need_crate cargo-mutants cargo-mutants "$mutants_version" 190 --locked ;;
    packages)
      # mdBook builds the book of examples/mdbook.
      need_crate mdbook mdbook "$mdbook_version" 190 --locked --no-default-features
      python=$(python_for_jupyter)
      if [ -z "$python" ]; then
        left_out "Python 3.10 or newer with venv"
      elif ! cmp -s "$web/jupyter.txt" "$tools/jupyter/.installed"; then
        job jupyter 70 install_jupyter "$python"
      fi
      ;;
  esac
}

# need PART…: installs what these parts of the work need: build, quick, page (tests of the site in one browser), chromium,
# engines, python, packages, licences, mutants.
need() {
  local part
  need_rust
  find_programs
  want cc gcc libc6-dev
  for part in "$@"; do want_for "$part"; done
  install_packages
  for part in "$@"; do install_for "$part"; done
  if [ ${#job_names[@]} -gt 0 ]; then
    say "To do, once: ${job_names[*]}; $(about "$(seconds_of "${job_costs[@]}")") on this computer"
    run_jobs
  fi
  hash -r
  find_programs
}

# What Trunk has cargo build; `need build` has it built beside the tools.
core=(--locked --release --target wasm32-unknown-unknown --bin posenc)

# is_newer_than FILE SOURCE…: whether FILE is there and no source has changed since.
is_newer_than() { [ -e "$1" ] && [ -z "$(find "${@:2}" -name node_modules -prune -o -newer "$1" -print -quit)" ]; }

rust_sources=(.cargo build.rs Cargo.lock Cargo.toml crates src)
core_is_built() { is_newer_than "${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/release/posenc.wasm" "${rust_sources[@]}"; }
site_sources=("${rust_sources[@]}" CITATION.cff Trunk.toml index.html scripts/kit scripts/setup.sh static)
# Any other Trunk build of dist/ removes the mark.
site_is_built() { is_newer_than dist/.built "${site_sources[@]}"; }

# Builds dist/ in release mode if a source has changed since the last build.
build_site() {
  local begun cost=10 wasm=${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/release/posenc.wasm
  if site_is_built; then return; fi
  begun=$(mktemp)
  # A new core is optimised and divided, too, and so is one that is divided in another way (scripts/kit/once.mjs).
  is_newer_than "$(compgen -G "target/kit/core-*" | head -n1)" "$wasm" scripts/kit/{split,bundle,constants,imports}.mjs || cost=90
  core_is_built || cost=150
  # One thing after the other, on one processor.
  job site "$((cost * $(cores)))" make_site
  say "Building the site"
  run_jobs
  mv "$begun" dist/.built
}

# With "&&", because after `||` a command that fails does not end a function.
make_site() {
  RUST_BACKTRACE=0 trunk build --release --locked &&
    node scripts/kit/site.mjs
}
