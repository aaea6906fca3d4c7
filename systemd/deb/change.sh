# Functions of postinst, which replaces one version by another: back up the games, stop and check the box.
# postinst sets `release` (folder of the new version), `state` (folder of the games) and `keep` (backups to keep).
# shellcheck shell=bash disable=SC2154
limit=300 # maximum seconds of a command of the box's user, who owns the files that the command reads
backup='' # the folder with the copied games; set when the copy is complete

say() { printf '%s\n' "$*" || true; } # continue if the output is closed

fold_words() { # prepare the word lists in the cache, because the first look-up of a word takes seconds
  local language
  install -d -m700 -o companion -g companion /var/cache/companion
  for language in en fr; do # search for a word that no list has, so that the search reads every list
    (umask 077 && as_user env XDG_CACHE_HOME=/var/cache \
      "$release/bin/python" -P "$release/bin/companion" words "$language" zzz >/dev/null) || true
  done
}

as_companion() { # as_companion SCRIPT ARGUMENT...: run a script as the box's user, who owns the games
  as_user sh -euc "umask 077; cd /; $1" sh "${@:2}"
}

as_user() { # as_user COMMAND...: run a command as the box's user, without access to root's terminal
  setsid --wait timeout -k 5 "$limit" runuser -u companion -- "$@" </dev/null
}

back_up() { # back_up NAME: copy the games while the box is stopped, and set `backup` to the folder
  if [ -L "$state/games.db" ] || [ ! -f "$state/games.db" ]; then return 0; fi
  local folder=$state/backups/$1
  # shellcheck disable=SC2016 # the other shell expands the variables
  as_companion 'mkdir -p "$1"; mkdir "$2"
    find "$3" -maxdepth 1 -name "games.db*" -type f -exec cp -pP -t "$2" {} +; sync -f "$2"' \
    "$state/backups" "$folder" "$state" ||
    { say "companion: the games cannot be backed up to $folder. Check the free space, and that the user" \
      "companion may write there." >&2; return 1; }
  backup=$folder
  say "The games were copied to $backup"
  # shellcheck disable=SC2016 # the other shell expands the variables
  as_companion 'cd "$1"; find . -mindepth 1 -maxdepth 1 -type d -name "[0-9]*-[0-9]*" |
    sort | head -n "-$2" | while IFS= read -r old; do rm -rf -- "$old"; done' \
    "$state/backups" "$keep" || say "Note: old backups in $state/backups could not be deleted."
}

bring_games_back() {
  # shellcheck disable=SC2016 # the other shell expands the variables
  as_companion 'rm -rf "$1/returning"; mkdir "$1/returning"; cp -pP "$2"/games.db* "$1/returning"
    sync -f "$1"; find "$1" -maxdepth 1 -name "games.db*" -type f -delete; mv "$1"/returning/* "$1"; rmdir "$1/returning"; sync -f "$1"' \
    "$state" "$backup"
}

stop_box() { # two commands, because the two units conflict, and one command would cancel both stops
  systemctl stop companion.service 2>/dev/null || true
  systemctl stop companion-stopped.service 2>/dev/null || true
}

runs() { # start the box; succeed if the box still runs three seconds later
  systemctl reset-failed companion.service 2>/dev/null || true
  systemctl start companion.service || return 1
  local pid
  pid=$(systemctl show -P MainPID companion.service)
  sleep 3
  systemctl is-active --quiet companion.service &&
    [ "$(systemctl show -P MainPID companion.service)" = "$pid" ]
}
