# After dpkg has unpacked the new version: try it. If it does not start, the previous version runs again, and this
# script fails, so that dpkg marks the package as not configured.
# shellcheck shell=bash disable=SC2154
release=$home/$version
export state=/var/lib/companion keep=3 # the folder of the games, and the number of backups to keep
was=inactive  # state of the box's service before the update

make_ready() { # prepare and check the new version; the running version is not changed
  systemd-sysusers companion.conf
  "$release/bin/python" -I -m compileall -q "$release/lib" || true # ignore errors: templates are not valid Python
  "$release/bin/python" -I "$release/bin/companion" --version &&
    "$release/bin/python" -I -c "import companion.cmd.start" # --version does not import the box
}

is_wanted() { # succeed if the box is enabled and ran before the update
  [ -d /run/systemd/system ] && systemctl is-enabled --quiet companion.service &&
    [ "$was" != inactive ]
}

change_over() { # stop the box, back up the games, and select the new version
  if [ -d /run/systemd/system ]; then
    was=$(systemctl is-active companion.service) || true
    systemctl stop companion-{page,evening,seats}.service 2>/dev/null || true # their sockets start the new version
    stop_box
  fi
  if [ -d "$home/before" ]; then back_up "$(date +%Y%m%d-%H%M%S%3N)"; fi
  point_to "$version"
  drop_units
  sync
  reload
}

go_back() { # select the previous version again, with the copied games, and end with an error
  trap - EXIT
  trap '' INT TERM HUP PIPE # finish, even if the user's terminal is closed
  say "companion: the update to $version failed: going back to the previous version." >&2
  if [ -d /run/systemd/system ]; then stop_box; fi
  if [ -n "$backup" ]; then bring_games_back || say "The games were not copied back. Their copy is in $backup" >&2; fi
  keep_units
  point_to before
  reload
  if ! is_wanted; then
    say "The previous version is selected again. The box is not started."
  elif runs; then
    say "The previous version runs again."
  else
    say "The previous version does not start either. To see why, run: sudo journalctl -u companion" >&2
  fi
  exit 1
}

enable_units() { # enable the units that the machine's owner has not disabled
  local unit
  for unit in companion.service companion-{page,evening,seats}.socket; do
    if deb-systemd-helper --quiet was-enabled "$unit"; then
      deb-systemd-helper enable "$unit" >/dev/null
    else
      deb-systemd-helper update-state "$unit" >/dev/null
    fi
  done
}

begin() { # at the first installation: switch the display's bus on, and start the box if possible
  local bus
  bus=$("$release/bin/python" -I -m hardware.boards.user_board /etc/companion) || true # the box reports a wrong file
  [ "$bus" = spi ] || bus=i2c
  if command -v raspi-config >/dev/null; then raspi-config nonint "do_$bus" 0 || true; fi
  [ "$bus" = spi ] || modprobe i2c-dev 2>/dev/null || true
  if [ -d /run/systemd/system ]; then
    deb-systemd-invoke start companion.service ||
      say "The box did not start. Restart the machine: sudo reboot. If the box does not start then, run:" \
        "sudo companion doctor"
  fi
}

open_doors() { # announce the page in the network, and open the sockets of the other services
  if [ -d /etc/avahi/services ]; then # no configuration file: `remove` deletes it
    install -m644 "$release/systemd/companion.avahi.xml" /etc/avahi/services/companion.service
  fi
  if [ -d /run/systemd/system ]; then
    deb-systemd-invoke start companion-evening.socket companion-seats.socket || true
    deb-systemd-invoke start companion-page.socket ||
      say "Phones cannot connect, because companion-page.socket did not start. Is port 80 in use?"
  fi
}

tidy() { # delete the previous version, even if it was installed without a package
  find "$home" -mindepth 1 -maxdepth 1 ! -name "$version" ! -name current -exec rm -rf {} +
  [ -e /opt/companion ] || return 0
  if [ "$(readlink /usr/local/bin/companion)" = /opt/companion/venv/bin/companion ]; then
    rm /usr/local/bin/companion
  fi
  rm -rf /opt/companion "$units/companion.service.d/restart.conf" \
    /etc/polkit-1/rules.d/50-companion.rules /etc/udev/rules.d/60-companion-*.rules \
    /etc/modules-load.d/companion.conf
  rmdir "$units/companion.service.d" 2>/dev/null || true
}

configure() {
  if ! make_ready; then
    say "companion: $version does not run here. The messages above show the reason." >&2
    exit 1 # the running version was not changed
  fi
  fold_words
  if [ -d "$home/before" ]; then trap go_back EXIT; fi
  change_over
  enable_units
  if [ ! -d "$home/before" ]; then
    begin
  elif is_wanted; then
    runs || {
      say "companion: $version does not start. To see why, run: sudo journalctl -u companion" >&2
      exit 1
    }
  fi
  trap - EXIT
  open_doors
  tidy
}

case $1 in
  configure) configure ;;
  abort-upgrade) # dpkg could not unpack a newer version
    if [ -x "$release/bin/companion" ]; then
      point_to "$version"
      drop_units
      rm -rf "$home/before"
      reload
    fi
    ;;
esac
