#!/usr/bin/env bash
# Puts Companion on a Raspberry Pi, brings it up to date, or takes it away. See systemd/README.md.
#
#   sudo ./systemd/install.sh                  install, or update what is installed
#   sudo ./systemd/install.sh --wheels DIR     the same from wheels, without a network
#   sudo ./systemd/install.sh --bus 400        the display's bus at 400 kHz, without asking (or 100)
#   sudo ./systemd/install.sh --uninstall      take it away; the games stay
#   sudo ./systemd/install.sh --uninstall --forget-games
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
source=$(dirname "$here")
home=/opt/companion
state=/var/lib/companion
unit=/etc/systemd/system
rule=/etc/polkit-1/rules.d/50-companion.rules
units=(companion{,-splash,-stopped,-evening,-page,-stick@}.service companion-{evening,page}.socket)
plug=/etc/udev/rules.d/60-companion-stick.rules
names=/etc/udev/rules.d/60-companion-devices.rules
modules=/etc/modules-load.d/companion.conf
packages=(python3-venv espeak-ng polkitd alsa-utils wamerican wbritish wfrench)
megabytes=400 # a release and the one before it
keep=3        # backups of the games
wheels='' bus='' uninstall='' forget=''
from=(--index-url https://pypi.org/simple) wheel=''
release='' build='' # folders that go again if pip, or the new version, fails
before='' # the version that ran until now
restart_needed=''
umask 022
export DEBIAN_FRONTEND=noninteractive
# shellcheck source=systemd/change.sh
. "$here/change.sh"

die() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

usage() { sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; }

read_arguments() {
  while [ $# -gt 0 ]; do
    case $1 in
      --wheels) [ $# -gt 1 ] || die "--wheels needs a folder"; wheels=$2; shift ;;
      --bus) [ $# -gt 1 ] || die "--bus needs 100 or 400"; bus=$2; shift ;;
      --uninstall) uninstall=yes ;;
      --forget-games) forget=yes ;;
      -h | --help) usage; exit 0 ;;
      *) die "what is '$1'? Try --help" ;;
    esac
    shift
  done
  [[ $bus =~ ^(100|400)?$ ]] || die "--bus is 100 or 400, not '$bus'"
  [ -z "$forget" ] || [ -n "$uninstall" ] || die "--forget-games goes with --uninstall"
  if [ -n "$wheels" ]; then
    wheels=$(readlink -e "$wheels") || die "there is no such folder of wheels"
  fi
}

# --- before anything is changed -------------------------------------------------------------------

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

reaches() { # reaches URL
  python3 -I - "$1" <<'PYTHON' 2>/dev/null
import sys, urllib.error, urllib.request
try:
    urllib.request.urlopen(sys.argv[1], timeout=10)
except urllib.error.HTTPError:
    pass  # it answers
PYTHON
}

our_wheel() { find "$wheels" -maxdepth 1 -name 'tabletop_companion-*.whl' | sort -V | tail -1; }

check_machine() {
  [ "$(id -u)" = 0 ] || die "this needs root: sudo $0 $*"
  [ -d /run/systemd/system ] || die "systemd does not run here"
  command -v apt-get >/dev/null || die "this is for Raspberry Pi OS (Debian): there is no apt-get"
  [ ! -e /usr/lib/companion ] || die "a Debian package of Companion is installed: update it with apt," \
    "or sudo apt remove companion first; the games stay"
  [ -n "$uninstall" ] || [ "$(getconf LONG_BIT)" = 64 ] ||
    die "this system is 32-bit: not all that is needed has wheels for it. Nothing was changed"
  local version
  # shellcheck source=/dev/null
  version=$(. /etc/os-release && echo "${VERSION_CODENAME:-unknown}")
  [[ $version =~ ^(bookworm|trixie)$ ]] ||
    say "Note: this is Debian '$version'. It may work; bookworm and trixie are tested."
}

check_sources() {
  local free missing games
  if [ -n "$wheels" ]; then
    [ -n "$(our_wheel)" ] || die "there is no tabletop_companion-*.whl in $wheels"
  else
    [ -f "$source/pyproject.toml" ] || die "$source is no release of Companion: unpack all of it"
    reaches https://pypi.org/simple/pip/ || die "no network: pypi.org does not answer." \
      "Nothing was changed. Connect this machine, or give --wheels"
  fi
  missing=$(missing_packages | paste -sd' ')
  if [ -n "$missing" ] && ! reaches "$(apt_server)"; then
    die "no network: $(apt_server) does not answer, and these packages are missing: $missing." \
      "Nothing was changed"
  fi
  games=$(games_size)
  free=$(df --output=avail -m "$(dirname "$home")" | tail -1)
  [ "$free" -ge $((megabytes + games)) ] || die "only $free MB are free:" \
    "$((megabytes + games)) are needed. Nothing was changed"
}

games_size() { # in megabytes, rounded up: as much again is needed for their backup
  [ -e "$state/games.db" ] || { echo 0; return; }
  # shellcheck disable=SC2016 # the other shell's variable
  as_companion 'du -cm "$1"/games.db*' "$state" | awk 'END {print $1}'
}

apt_server() { # what apt asks first
  # shellcheck disable=SC2016 # apt's variable, not the shell's
  apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | head -1 | grep . ||
    echo http://deb.debian.org/debian/
}

ask_about_bus() { # in kHz; once
  if [ -n "$bus" ] || [ ! -t 0 ] || grep -qs '^dtparam=i2c_arm_baud' "$(boot_config)"; then return; fi
  local answer
  say "The display's bus runs at 100 kHz. Most displays can do 400, which is four times as smooth;"
  read -r -p "wires longer than a hand may not. Run it at 400 kHz? [Y/n] " answer
  case ${answer,,} in '' | y* | o*) bus=400 ;; *) bus=100 ;; esac
}

# --- the parts ------------------------------------------------------------------------------------

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -eq 0 ] && return
  say "Installing ${missing[*]}"
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

pip() { # pip ENVIRONMENT ARGUMENT...: that environment's, with nobody's settings
  "$1/bin/python" -I -m pip --isolated --disable-pip-version-check "${@:2}"
}

pinned() { # pinned ENVIRONMENT FILE: what a file of ours names, by its checksums, and only wheels
  pip "$1" install --quiet --no-cache-dir --only-binary :all: --require-hashes "${from[@]}" \
    -r "$here/$2"
}

build_wheel() { # our own, in a folder of its own: pip builds where the source is; `wheel` is the file
  local part
  build=$(mktemp -d)
  mkdir "$build/source"
  for part in companion handwritten hardware sounds pyproject.toml README.md LICENSE; do
    cp -R "$source/$part" "$build/source/" || return
  done
  if [ -e "$source/PKG-INFO" ]; then cp "$source/PKG-INFO" "$build/source/"; fi # a release's version
  python3 -I -m venv "$build/venv" && pinned "$build/venv" build.txt &&
    pip "$build/venv" wheel --quiet --no-index --no-deps --no-build-isolation \
      --wheel-dir "$build" "$build/source" || return
  wheel=$(echo "$build"/tabletop_companion-*.whl)
}

install_wheels() {
  python3 -I -m venv "$release" || return
  if [ -n "$wheels" ]; then
    wheel=$(our_wheel)
  else
    build_wheel || return
  fi
  pinned "$release" requirements.txt &&
    pip "$release" install --quiet --no-cache-dir --no-index --no-deps "$wheel"
}

clear_up() { # what `begun` points to is of an update that lost its power, unless it is what runs
  local left
  left=$(readlink "$home/begun") || return 0
  if [ "$left" != "$(readlink -e "$home/venv")" ]; then rm -rf "$left"; fi
  rm "$home/begun"
}

make_release() { # a new environment beside the one that runs; `release` is its folder
  release=$home/releases/$(date +%Y%m%d-%H%M%S)
  mkdir -p "$home/releases"
  trap 'rm -rf "$release" "$build" "$home/begun"' EXIT
  ln -sfn "$release" "$home/begun"
  sync -f "$home" # it is to be found before what it names
  say "Installing Companion into $release"
  if [ -n "$wheels" ]; then from=(--no-index --find-links "$wheels"); fi
  install_wheels || die "pip failed. The box is as it was"
  "$release/bin/companion" --version || die "this version does not run. The box is as it was"
  sync -f "$release" # a power cut must not leave half of it
  trap - EXIT
  rm -rf "$build"
}

boot_config() {
  if [ -f /boot/firmware/config.txt ]; then echo /boot/firmware/config.txt; else echo /boot/config.txt; fi
}

set_boot() { # set_boot KEY VALUE: a dtparam of the firmware; the last one of a kind counts
  local file
  file=$(boot_config)
  [ -f "$file" ] || return 0
  grep -qx "dtparam=$1=$2" "$file" && return 0
  [ -e "$file.before-companion" ] || cp -p "$file" "$file.before-companion"
  { sed "/^#\?dtparam=$1=/d" "$file"; printf '[all]\ndtparam=%s=%s\n' "$1" "$2"; } >"$file.with-companion"
  sync "$file.with-companion" # without this file nothing starts at all
  mv -T "$file.with-companion" "$file"
  restart_needed=yes
}

switch_bus_on() {
  if command -v raspi-config >/dev/null; then raspi-config nonint do_i2c 0; fi
  grep -qs '^dtparam=i2c_arm=on' "$(boot_config)" || set_boot i2c_arm on
  if [ "$bus" = 400 ] || { [ -n "$bus" ] && grep -qs i2c_arm_baudrate "$(boot_config)"; }; then
    set_boot i2c_arm_baudrate "${bus}000"
  fi
  echo i2c-dev >"$modules"
  modprobe i2c-dev || true
}

make_user() {
  local group
  for group in gpio i2c spi audio; do groupadd --force --system "$group"; done
  id companion >/dev/null 2>&1 ||
    useradd --system --user-group --no-create-home --home-dir "$state" \
      --shell /usr/sbin/nologin companion
  usermod -aG gpio,i2c,spi,audio companion
  id companion-page >/dev/null 2>&1 ||
    useradd --system --user-group --no-create-home --home-dir / --shell /usr/sbin/nologin \
      companion-page
}

install_units() { # install_units FOLDER: the units that came with a release
  local name # the box wakes the new evening, the next phone the new page
  systemctl stop companion-evening.service companion-page.service 2>/dev/null || true
  for name in "${units[@]}"; do # an older release has not all of them
    [ ! -e "$1/$name" ] || put "$1/$name" "$unit/$name"
  done
  put "$1/50-companion.rules" "$rule"
  if [ -e "$1/companion-page.socket" ] && [ -d /etc/avahi/services ]; then
    put "$1/companion.avahi.xml" /etc/avahi/services/companion.service
  fi
  if [ -e "$1/companion-stick@.service" ]; then
    put "$1/60-companion-stick.rules" "$plug"
    udevadm control --reload || true
  fi
  if [ -e "$1/companion-splash.service" ]; then # a release that starts late has none
    put "$1/device.conf" "$unit/dev-companion-display.device.d/device.conf"
    put "$1/device.conf" "$unit/dev-companion-pins.device.d/device.conf"
    put "$1/60-companion-devices.rules" "$names"
    know_devices
  fi
  if [ -e "$1/restart.conf" ] && [ "$(systemctl --version | awk 'NR == 1 {print $2}')" -ge 254 ]; then
    put "$1/restart.conf" "$unit/companion.service.d/restart.conf"
  fi
  systemctl daemon-reload
  systemctl enable --quiet companion.service
  if [ -e "$unit/companion-evening.socket" ]; then
    systemctl enable --quiet --now companion-evening.socket
  fi
  if [ -e "$unit/companion-page.socket" ]; then
    systemctl enable --quiet --now companion-page.socket || say "Port 80 is taken: no phones."
  fi
}

point_to() { # point_to RELEASE: what runs from the next start on; one rename, never half
  ln -sfn "$1" "$home/venv.new"
  mv -T "$home/venv.new" "$home/venv"
  ln -sfn "$home/venv/bin/companion" /usr/local/bin/companion
  sync -f "$home"
}

go_back() { # go_back RELEASE: as it was before the update, the games too
  stop_box
  point_to "$1"
  if [ -n "$backup" ]; then bring_games_back || say "The games are still in $backup" >&2; fi
  if [ -e "$1/systemd/companion.service" ]; then install_units "$1/systemd"; fi
  if runs; then say "The version before runs again."; else say "The version before does not start either."; fi
}

change_over() { # from here on the box stands still: whatever fails, the version before runs again
  trap come_back EXIT
  trap '' PIPE
  stop_box
  back_up "$(basename "$release")"
  point_to "$release"
  install_units "$here"
  sync
  trap - EXIT
}

prove_itself() { # the new version runs, or the one before does
  trap come_back EXIT
  runs || die "the new version does not start. What it said: journalctl -u companion"
  trap - EXIT
}

come_back() {
  local status=$?
  trap - EXIT
  trap '' INT TERM HUP PIPE # to the end, also if the line to whoever called is cut
  if [ -n "$before" ]; then
    say "Not updated: going back." >&2
    go_back "$before" || true
    rm -rf "$release" "$home/begun"
  else
    say "Not installed whole. What to do: sudo companion doctor" >&2
  fi
  exit "$status"
}

prune() { # prune KEPT...: delete all other releases
  local other
  for other in "$home"/releases/*; do
    case " $* " in *" $other "*) ;; *) rm -rf "$other" ;; esac
  done
}

# --- what it does ---------------------------------------------------------------------------------

install_all() {
  clear_up
  check_sources
  ask_about_bus
  install_packages
  make_release
  install -D -m644 -t "$release/systemd" "$here"/*.{service,socket,rules,conf,xml,md,py}
  before=$(readlink -e "$home/venv" || true)
  switch_bus_on
  make_user
  fold_words
  change_over
  rm -f "$home/begun"
  if [ ! -e /dev/i2c-1 ]; then
    say "Installed. The display's bus wakes with the next start: sudo reboot"
    return
  fi
  prove_itself
  prune "$release" "${before:-none}"
  say "Companion runs. It starts by itself from now on."
  [ -z "$restart_needed" ] || say "The bus's new speed counts from the next start: sudo reboot"
}

uninstall_all() {
  stop_box
  systemctl stop companion-splash.service 2>/dev/null || true
  systemctl disable --quiet --now companion-page.socket 2>/dev/null || true
  systemctl disable --quiet companion.service 2>/dev/null || true
  rm -f /etc/avahi/services/companion.service
  systemctl disable --quiet --now companion-evening.socket 2>/dev/null || true
  systemctl stop companion-evening.service 2>/dev/null || true
  rm -f "${units[@]/#/$unit/}" "$rule" "$plug" "$names" "$modules"
  rm -rf "$unit"/companion.service.d "$unit"/dev-companion-{display,pins}.device.d
  [ "$(readlink /usr/local/bin/companion)" != $home/venv/bin/companion ] ||
    rm -f /usr/local/bin/companion
  rm -rf "$home" /var/cache/companion
  systemctl daemon-reload
  if [ -n "$forget" ]; then
    rm -rf "$state" /etc/companion
    userdel companion-page 2>/dev/null || true
    userdel companion 2>/dev/null || true
    say "Companion is gone, and so are the games."
  else
    say "Companion is gone. The games are in $state, boards of your own in /etc/companion;"
    say "another installation goes on with them. To delete them: $0 --uninstall --forget-games"
  fi
  say "The I2C bus stays on: other programs may need it ($(boot_config))."
}

read_arguments "$@"
cd / # nothing in the folder of whoever calls is run, or taken for an argument
check_machine "$@"
if [ -n "$uninstall" ]; then uninstall_all; else install_all; fi
