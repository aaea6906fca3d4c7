# In postinst, for the moment when one version takes another's place: the games' backup, and whether
# the box runs. Set are `release` (the new version's folder), `state` (the games'), `keep` (how many backups).
# shellcheck shell=bash disable=SC2154
limit=300 # seconds in which the box's user has to be done: whatever lies in the folder is that user's
backup='' # the folder with the games as they were, once they are whole there

say() { printf '%s\n' "$*" || true; } # whoever listened may be gone

fold_words() { # now: it takes seconds, and the first word that is spelt would wait for them
  local language
  install -d -m700 -o companion -g companion /var/cache/companion
  for language in en fr; do # a word that is in no list makes every list be searched
    (umask 077 && as_user env XDG_CACHE_HOME=/var/cache \
      "$release/bin/python" -P "$release/bin/companion" words "$language" zzz >/dev/null) || true
  done
}

as_companion() { # as_companion SCRIPT ARGUMENT...: root touches nothing in a folder of another user
  as_user sh -euc "umask 077; cd /; $1" sh "${@:2}"
}

as_user() { # as_user COMMAND...: without our terminal, where that user could type for root
  setsid --wait timeout -k 5 "$limit" runuser -u companion -- "$@" </dev/null
}

back_up() { # back_up NAME: the games, byte for byte, while nobody writes; then `backup` is the folder
  if [ -L "$state/games.db" ] || [ ! -f "$state/games.db" ]; then return 0; fi
  local folder=$state/backups/$1
  # shellcheck disable=SC2016 # the other shell's variables
  as_companion 'mkdir -p "$1"; mkdir "$2"
    find "$3" -maxdepth 1 -name "games.db*" -type f -exec cp -pP -t "$2" {} +; sync -f "$2"' \
    "$state/backups" "$folder" "$state" ||
    { say "companion: the games cannot be backed up: is all in $state a file?" >&2; return 1; }
  backup=$folder
  say "The games are backed up in $backup"
  # shellcheck disable=SC2016 # likewise
  as_companion 'cd "$1"; find . -mindepth 1 -maxdepth 1 -type d -name "[0-9]*-[0-9]*" |
    sort | head -n "-$2" | while IFS= read -r old; do rm -rf -- "$old"; done' \
    "$state/backups" "$keep" || say "Note: old backups in $state/backups could not be deleted."
}

bring_games_back() {
  # shellcheck disable=SC2016 # likewise
  as_companion 'rm -rf "$1/returning"; mkdir "$1/returning"; cp -pP "$2"/games.db* "$1/returning"
    sync -f "$1"; find "$1" -maxdepth 1 -name "games.db*" -type f -delete; mv "$1"/returning/* "$1"; rmdir "$1/returning"; sync -f "$1"' \
    "$state" "$backup"
}

stop_box() { # one after the other: together they cancel each other, as they conflict
  systemctl stop companion.service 2>/dev/null || true
  systemctl stop companion-stopped.service 2>/dev/null || true
}

runs() { # does it start, and go on running?
  systemctl reset-failed companion.service 2>/dev/null || true
  systemctl start companion.service || return 1
  local pid
  pid=$(systemctl show -P MainPID companion.service)
  sleep 3
  systemctl is-active --quiet companion.service &&
    [ "$(systemctl show -P MainPID companion.service)" = "$pid" ]
}
