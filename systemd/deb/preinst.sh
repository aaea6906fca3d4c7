# Before dpkg unpacks: what runs is kept, and runs on. A cut from here on leaves it whole.
# shellcheck shell=bash disable=SC2154
is_room() { # for this version, beside the one that runs and once more compiled, and for the games' backup
  local games free
  games=$(du -ck /var/lib/companion/games.db* 2>/dev/null | awk 'END {print $1}') || true
  free=$(df --output=avail -k "$(dirname "$home")" | tail -1)
  [ "$free" -ge $((2 * size + games)) ] && return
  echo "companion: only $((free / 1024)) MB are free, and $(((2 * size + games) / 1024)) are needed." >&2
  return 1
}

is_to_stay() { # a read-only system (companion-root) would have the new version until it is switched off
  [ "$(findmnt -n -o SOURCE / 2>/dev/null)" != overlayroot ] && return
  echo "companion: the system is read-only: sudo companion-root writable, then sudo reboot." >&2
  return 1
}

keep() { # keep FOLDER: links to the version that runs; it is `before` once it is whole
  rm -rf "$home/before" "$home/before.new"
  cp -al "$1" "$home/before.new"
  mv "$home/before.new" "$home/before"
  keep_units
  point_to before
}

adopt() { # what was installed here before there were packages; its units are in their place already
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
    { is_to_stay && is_room; } || exit 1 # nothing was changed
    if [ -n "$running" ] && [ "$running" != before ]; then
      keep "$home/$running"
    elif [ -z "$running" ] && [ -e /opt/companion/venv ]; then
      adopt
    fi
    ;;
esac
