# Before dpkg unpacks the new version: keep the running version, which continues to run. From here on a power cut
# leaves the running version complete.
# shellcheck shell=bash disable=SC2154
is_room() { # succeed if the disk has room for this version, its compiled files and a copy of the games
  local games free
  games=$(du -ck /var/lib/companion/games.db* 2>/dev/null | awk 'END {print $1}') || true
  free=$(df --output=avail -k "$(dirname "$home")" | tail -1)
  [ "$free" -ge $((2 * size + games)) ] && return
  echo "companion: only $((free / 1024)) MB are free, and $(((2 * size + games) / 1024)) are needed." \
    "Delete other files, then try again." >&2
  return 1
}

is_to_stay() { # fail on a read-only system (companion-root), where a restart would delete the new version
  [ "$(findmnt -n -o SOURCE / 2>/dev/null)" != overlayroot ] && return
  echo "companion: the system is read-only. Run: sudo companion-root writable, then sudo reboot," \
    "then try again." >&2
  return 1
}

keep() { # keep FOLDER: make `before` from hard links to the running version, and select `before`
  rm -rf "$home/before" "$home/before.new"
  cp -al "$1" "$home/before.new"
  mv "$home/before.new" "$home/before"
  keep_units
  point_to before
}

adopt() { # make `before` a link to a version that was installed without a package, and mark its units
  local unit
  mkdir -p "$home"
  ln -sfn "$(readlink -e /opt/companion/venv)" "$home/before"
  for unit in "$units"/companion*.{service,socket}; do
    if [ -f "$unit" ] && ! grep -qxF "$mark" "$unit"; then keep_unit "$unit"; fi
  done
  point_to before
}

running=$(readlink "$home/current" || true)
case $1 in
  install | upgrade)
    { is_to_stay && is_room; } || exit 1 # before any change
    if [ -n "$running" ] && [ "$running" != before ]; then
      keep "$home/$running"
    elif [ -z "$running" ] && [ -e /opt/companion/venv ]; then
      adopt
    fi
    ;;
esac
