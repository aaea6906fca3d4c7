# The start of every script of the package. A link selects the version that runs. An update keeps the previous version.
#
#   /usr/lib/companion/VERSION   the files of a version: dpkg unpacks all of them before the version runs
#   /usr/lib/companion/before    hard links to the running version, made before dpkg unpacks the new version
#   /usr/lib/companion/current   a link to one of both folders: the version that runs from the next start on
# shellcheck shell=bash
home=/usr/lib/companion
units=/etc/systemd/system # units here take precedence over the units that dpkg has unpacked
mark='# Kept by the package companion while a newer version is tried.'

point_to() { # point_to NAME: change the link `current` in one atomic step
  ln -sfn "$1" "$home/current.new"
  mv -T "$home/current.new" "$home/current"
  sync -f "$home"
}

keep_unit() { # keep_unit FILE: copy a unit; sync before the rename, because systemd masks a unit that is empty
  local unit
  unit=$units/$(basename "$1")
  { cat "$1"; printf '\n%s\n' "$mark"; } >"$unit.new"
  sync "$unit.new"
  mv "$unit.new" "$unit"
}

keep_units() { # copy the previous version's units, so that they take precedence over the new version's
  local unit
  for unit in "$home"/before/systemd/*.{service,socket}; do
    if [ -e "$unit" ] && [ ! -e "$units/$(basename "$unit")" ]; then # do not overwrite the owner's unit
      keep_unit "$unit"
    fi
  done
  sync -f "$units"
}

drop_units() { # delete the copies that `keep_unit` has made
  local unit
  for unit in "$units"/companion*.{service,socket}; do
    if [ -f "$unit" ] && grep -qxF "$mark" "$unit"; then rm "$unit"; fi
  done
}

reload() { if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi; }
