# After dpkg has deleted the files of the package: delete all other files. Games and settings are deleted only by a
# purge, after the question of `templates` was answered with yes.
# shellcheck shell=bash disable=SC2119,SC2154
games_go() { # succeed if a person confirms that the games are deleted; fail without debconf
  [ -e /usr/share/debconf/confmodule ] || return 1
  db_input high companion/forget-games || true
  db_go || true
  db_get companion/forget-games && [ "$RET" = true ]
}

away() { # away FOLDER...: delete folders; a mount point (companion-root) stays as an empty folder
  rm -rf "$@" || [ -z "$(find "$@" -mindepth 1 2>/dev/null)" ]
}

forget() { # delete games, settings, and the users of the services
  away /var/lib/companion /etc/companion /var/lib/companion-evening \
    /var/lib/private/companion-evening
  for user in companion companion-page; do
    userdel "$user" 2>/dev/null || true
    groupdel "$user" 2>/dev/null || true # if userdel has not deleted the group
  done
}

case $1 in
  upgrade) # delete the compiled files, which dpkg leaves because it has not unpacked them
    find "$home/$version" -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
    ;;
  remove)
    drop_units
    for unit in companion.service companion-{page,evening,seats}.socket; do
      if command -v deb-systemd-helper >/dev/null; then deb-systemd-helper purge "$unit"; fi
    done
    away "$home" /var/cache/companion
    rm -f /etc/avahi/services/companion.service
    reload
    ;;
  purge)
    if [ -e /usr/share/debconf/confmodule ]; then . /usr/share/debconf/confmodule; fi
    if [ -d /var/lib/companion ] || [ -d /etc/companion ]; then
      if games_go; then
        forget
      else
        echo "The games stay in /var/lib/companion, and your own files stay in /etc/companion." >&2
      fi
    else
      forget
    fi
    if [ -e /usr/share/debconf/confmodule ]; then db_purge; fi
    ;;
esac
