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

keep_unit() { # keep_unit FILE: until `drop_units`; on the disk first, as an empty unit is a masked one
  local unit
  unit=$units/$(basename "$1")
  { cat "$1"; printf '\n%s\n' "$mark"; } >"$unit.new"
  sync "$unit.new"
  mv "$unit.new" "$unit"
}

keep_units() { # the units of the version before: systemd takes them before those of dpkg
  local unit
  for unit in "$home"/before/systemd/*.{service,socket}; do
    if [ -e "$unit" ] && [ ! -e "$units/$(basename "$unit")" ]; then # the machine's owner may have his own
      keep_unit "$unit"
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
