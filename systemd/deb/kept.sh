# In every script of the package: what runs is a link, and the version before is kept beside it.
#
#   /usr/lib/companion/VERSION   dpkg's: unpacked whole before anything of it runs, then deleted
#   /usr/lib/companion/before    hard links to the version that runs, made before dpkg unpacks
#   /usr/lib/companion/current   a link to one of both: what runs from the next start on
# shellcheck shell=bash
home=/usr/lib/companion
units=/etc/systemd/system # what stands there comes before the units that dpkg has unpacked
mark='# Kept by the package companion while a newer version is tried.'

point_to() { # point_to NAME: one rename, never half
  ln -sfn "$1" "$home/current.new"
  mv -T "$home/current.new" "$home/current"
  sync -f "$home"
}

keep_units() { # the units of the version before: systemd takes them until `drop_units`
  local unit name
  for unit in "$home"/before/systemd/*.{service,socket}; do
    name=$(basename "$unit")
    if [ -e "$unit" ] && [ ! -e "$units/$name" ]; then # the owner of the machine may have one of his own
      { cat "$unit"; printf '\n%s\n' "$mark"; } >"$units/$name.new"
      sync "$units/$name.new" # an empty unit, which is what a power cut may leave, is a masked one
      mv "$units/$name.new" "$units/$name"
    fi
  done
  sync -f "$units"
}

drop_units() {
  local unit
  for unit in "$units"/companion*.{service,socket}; do
    if [ -f "$unit" ] && grep -qxF "$mark" "$unit"; then rm "$unit"; fi
  done
}

reload() { if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi; }
