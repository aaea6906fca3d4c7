#!/usr/bin/env bash
# Install Companion on this machine as a Debian package, update it, or remove it.
# The package is described in docs/builders/packages.md.
#
#   sudo ./systemd/install.sh                  build the package from these sources, and install it
#   sudo ./systemd/install.sh PACKAGE          install this file, or the newest package in this folder
#   … --bus 400                                run the display's bus at 400 kHz (or 100); ask no question
#   … --board pirate-audio                     write this board (a name from hardware/boards) to
#                                              /etc/companion/board.toml, if that file does not exist
#   sudo ./systemd/install.sh --uninstall      remove Companion; keep games, settings and boards
#   sudo ./systemd/install.sh --uninstall --forget-games
#                                              remove Companion, games, settings and boards
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
package='' bus='' board='' uninstall='' forget=''
own_board=/etc/companion/board.toml
scratch='' # temporary folder in which the package is built
restart_needed=''
umask 022
export DEBIAN_FRONTEND=noninteractive

say() { printf '%s\n' "$*"; }

die() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

usage() { sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; }

apt_get() { apt-get -qq -y -o Dpkg::Use-Pty=0 "$@"; }

get() { # get ARGUMENT...: install packages; update apt's lists first if a package is not found
  apt_get --simulate install "$@" >/dev/null 2>&1 || apt_get update || true
  apt_get install "$@"
}

known_boards() { basename -s .toml -a "$here"/../hardware/boards/*.toml; }

read_arguments() {
  while [ $# -gt 0 ]; do
    case $1 in
      --bus) [ $# -gt 1 ] || die "--bus needs 100 or 400"; bus=$2; shift ;;
      --board) [ $# -gt 1 ] || die "--board needs a name"; board=$2; shift ;;
      --uninstall) uninstall=yes ;;
      --forget-games) forget=yes ;;
      -h | --help) usage; exit 0 ;;
      -*) die "unknown option '$1'. To see all options, run: $0 --help" ;;
      *) package=$(readlink -e "$1") || die "there is no '$1'. Give an existing package or folder" ;;
    esac
    shift
  done
  [[ $bus =~ ^(100|400)?$ ]] || die "--bus must be 100 or 400, not '$bus'"
  if [ -n "$board" ] && ! grep -qx -- "$board" <(known_boards); then
    die "there is no board '$board'. The known boards are:" "$(known_boards | paste -sd' ')"
  fi
  [ -z "$forget" ] || [ -n "$uninstall" ] || die "--forget-games is valid only together with --uninstall"
}

check_machine() { # check the machine, and set `suite`, `number` and `arch`, which select the package
  [ "$(id -u)" = 0 ] || die "run this script as root: sudo $0 $*"
  command -v apt-get >/dev/null || die "this script needs Raspberry Pi OS or Debian: apt-get is missing"
  # shellcheck source=/dev/null
  read -r suite number < <(. /etc/os-release && echo "${VERSION_CODENAME:-?} ${VERSION_ID:-?}")
  arch=$(dpkg --print-architecture)
  [ -n "$uninstall" ] && return
  [[ $suite-$arch =~ ^(bookworm|trixie)-(amd64|arm64)$ ]] || die "this is Debian $suite for $arch," \
    "but Companion needs bookworm or trixie, for amd64 or arm64 (64-bit). Nothing was changed"
}

# --- the package ----------------------------------------------------------------------------------

as_caller() { # run a command as the user who called sudo, who owns these sources
  if [ -n "${SUDO_USER:-}" ]; then sudo -u "$SUDO_USER" -- "$@"; else "$@"; fi
}

build() { # build the package: download the libraries, and verify their checksums
  python3 -I -c 'import ensurepip, venv' 2>/dev/null || get python3-venv ||
    die "apt cannot install python3-venv. The messages above show the reason"
  scratch=$(as_caller mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  say "Building the package: this takes a few minutes."
  as_caller python3 -I -m venv "$scratch/venv"
  as_caller "$scratch/venv/bin/python" -I "$here/deb/build.py" "$scratch" --suite "$suite" \
    --arch "$arch" || die "the package cannot be built here. The messages above show the" \
    "reason. Companion was not installed or updated. If this machine has no network, run 'make deb' on" \
    "another machine, then run here: sudo $0 PACKAGE"
  chmod a+rx "$scratch" # apt reads the folder as the user _apt
  package=$scratch
}

choose() { # if `package` is a folder, set `package` to its newest package for this machine
  [ -d "$package" ] || return 0
  local folder=$package
  package=$(find "$folder" -maxdepth 1 -name "companion_*+deb${number}_$arch.deb" | sort -V | tail -1)
  [ -n "$package" ] || die "there is no companion_*+deb${number}_$arch.deb in $folder"
}

take() { # install the package; use dpkg if the installed package is incomplete: apt cannot repair it
  case $(dpkg-query -W -f='${db:Status-Status}' companion 2>/dev/null) in
    unpacked | half-*) dpkg --install "$package" ;;
    *) get --reinstall --allow-downgrades "$package" ;;
  esac
}

install_package() {
  if [ -n "$(ls /var/lib/dpkg/updates)" ]; then dpkg --configure -a || true; fi # complete an interrupted run
  take || die "the package was not installed. The messages above show the reason." \
    "If a previous version was running, it continues to run"
}

# --- the display's bus ----------------------------------------------------------------------------

boot_config() {
  if [ -f /boot/firmware/config.txt ]; then echo /boot/firmware/config.txt; else echo /boot/config.txt; fi
}

name_board() { # write the board file for --board, unless a board file exists
  if [ -z "$board" ]; then return; fi
  if [ -e "$own_board" ]; then say "$own_board exists and stays as it is: --board has no effect."; return; fi
  install -d "$(dirname "$own_board")"
  printf 'like = "%s"\n' "$board" >"$own_board"
}

kind_of_bus() { # print the bus of the display; if the board file has mistakes, print i2c
  /usr/lib/companion/current/bin/python -I -m hardware.boards.user_board "$(dirname "$own_board")" 2>/dev/null || echo i2c
}

ask_about_bus() { # set `bus` to the speed in kHz; ask only if the speed is unknown
  if [ -n "$board" ] || [ -e "$own_board" ]; then return; fi # a board file can select SPI
  if [ -n "$bus" ] || [ ! -t 0 ] || grep -qs '^dtparam=i2c_arm_baud' "$(boot_config)"; then return; fi
  local answer
  say "The display's bus runs at 100 kHz. Most displays also work at 400 kHz, which is four times as fast."
  say "If the wires are longer than a hand, 400 kHz can cause errors."
  read -r -p "Run the bus at 400 kHz? [Y/n] " answer
  case ${answer,,} in '' | y* | o*) bus=400 ;; *) bus=100 ;; esac
}

set_boot() { # set_boot KEY VALUE: replace all lines of a dtparam in the firmware's configuration by one line
  local file
  file=$(boot_config)
  [ -f "$file" ] || return 0
  grep -qx "dtparam=$1=$2" "$file" && return 0
  [ -e "$file.before-companion" ] || cp -p "$file" "$file.before-companion"
  { sed "/^#\?dtparam=$1=/d" "$file"; printf '[all]\ndtparam=%s=%s\n' "$1" "$2"; } >"$file.with-companion"
  sync "$file.with-companion" # write to the disk first: the machine cannot start without this file
  mv -T "$file.with-companion" "$file"
  restart_needed=yes
}

set_bus() {
  if [ "$(kind_of_bus)" = spi ]; then set_boot spi on; return; fi
  grep -qs '^dtparam=i2c_arm=on' "$(boot_config)" || set_boot i2c_arm on
  if [ "$bus" = 400 ] || { [ -n "$bus" ] && grep -qs i2c_arm_baudrate "$(boot_config)"; }; then
    set_boot i2c_arm_baudrate "${bus}000"
  fi
}

# --- install and uninstall ------------------------------------------------------------------------

install_all() {
  name_board
  ask_about_bus
  [ -n "$package" ] || build
  choose
  install_package
  set_bus
  say "Companion is installed, and starts with the machine. To check the box, run:" \
    "sudo companion doctor"
  [ -z "$restart_needed" ] || say "The display's bus changes at the next start. To restart now, run: sudo reboot"
}

uninstall_all() {
  if [ -z "$forget" ]; then
    apt_get remove companion
    say "Companion was removed. The games are in /var/lib/companion, and your own files are in /etc/companion."
    say "The next installation uses them again. To delete them, run: sudo $0 --uninstall --forget-games"
  else
    echo companion companion/forget-games boolean true | debconf-set-selections
    apt_get purge companion
    say "Companion, the games, the settings and your own files in /etc/companion were deleted."
  fi
  say "The display's bus stays on, because other programs may need it. To switch it off, edit $(boot_config)."
}

read_arguments "$@"
cd / # leave the caller's folder, so that no later command runs or reads its files by accident
check_machine "$@"
if [ -n "$uninstall" ]; then uninstall_all; else install_all; fi
