#!/usr/bin/env bash
# Make the system on the card read-only, so that a power cut cannot damage it, or writable again.
# The change takes effect at the next start. The box's files move to a separate file system with the
# label `companion`, which stays writable.
#
#   sudo companion-root read-only              make the system read-only
#   sudo companion-root read-only --partition  also create the separate file system, if it does not
#                                              exist: 1 GiB in the free space of the card
#   sudo companion-root writable               make the system writable, for updates and other changes
set -euo pipefail

label=companion
data=/media/companion # mount point of the file system with that label; only root has access
folders=(/var/lib/companion /var/cache/companion /var/lib/private/companion-evening)
folders+=(/var/lib/systemd/timesync) # the last known time, for a machine without clock and network
switch=/etc/overlayroot.local.conf # overlayroot reads this file in the initramfs
journal=/etc/systemd/journald.conf.d/zz-companion-root.conf
firmware=/etc/systemd/system/boot-firmware.mount.d/companion-root.conf
initramfs=/etc/initramfs-tools/conf.d/companion-root
timers=(/etc/systemd/system/apt-daily{,-upgrade}.timer.d/companion-root.conf)

say() { printf '%s\n' "$*"; }

die() { printf 'companion-root: %s\n' "$*" >&2; exit 1; }

usage() { sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; }

is_read_only() { [ "$(findmnt -n -o SOURCE /)" = overlayroot ]; }

put() { # put FILE LINE...: write a file in one atomic step
  mkdir -p "$(dirname "$1")"
  printf '%s\n' "${@:2}" >"$1.new"
  sync "$1.new"
  mv "$1.new" "$1"
}

check() {
  [ "$(id -u)" = 0 ] || die "run this command as root: sudo companion-root $*"
  grep -q overlayroot=tmpfs /proc/cmdline && die "the overlay of raspi-config is on. At a restart" \
    "it also deletes new games. Run: sudo raspi-config nonint do_overlayfs 1, then sudo reboot, then" \
    "this command again"
  [ -x /usr/sbin/overlayroot-chroot ] ||
    die "the package overlayroot is missing. Run: sudo apt install overlayroot"
}

# --- the file system of the games -----------------------------------------------------------------

make_partition() { # make a partition of 1 GiB on the disk of the system
  local disk
  disk=/dev/$(lsblk -n -o PKNAME "$(findmnt -n -o SOURCE /)")
  echo "size=1GiB, type=linux" | sfdisk --quiet --append --no-reread --no-tell-kernel "$disk" ||
    die "there is no room for a partition of 1 GiB on $disk"
  partx --update "$disk"
  udevadm settle
  mkfs.ext4 -q -L "$label" "$(lsblk -n -r -p -o NAME "$disk" | tail -1)"
  udevadm settle
}

find_data() { # find_data [--partition]: find the file system; with --partition, make a missing file system
  if findfs "LABEL=$label" >/dev/null 2>&1; then return; fi
  if [ "${1:-}" != --partition ]; then
    die "no file system has the label $label. Format a stick or a partition, which deletes its" \
      "content: sudo mkfs.ext4 -L $label /dev/…"
  fi
  make_partition
}

mounts() { # print lines for fstab; with `nofail`, the machine starts even if the file system is missing
  echo "LABEL=$label $data ext4 noatime,nodev,nosuid,noexec,nofail 0 2"
  local folder
  for folder in "${folders[@]}"; do echo "$data$folder $folder none bind,nofail 0 0"; done
}

fill() { # copy the folders that the file system lacks; each copy gets its final name when it is complete
  local folder
  for folder in "${folders[@]}"; do
    mkdir -p "$folder" "$(dirname "$data$folder")"
    if [ -e "$data$folder" ]; then continue; fi
    rm -rf "$data$folder.new"
    cp -a "$folder" "$data$folder.new"
    sync -f "$data"
    mv "$data$folder.new" "$data$folder"
  done
  sync -f "$data"
}

keep_games() { # copy the folders while the box is stopped, and mount the copies, now and at each start
  local folder was
  grep -qs "^LABEL=$label " /etc/fstab && return
  mkdir -p "$data"
  mountpoint -q "$data" || mount -o noatime,nodev,nosuid,noexec "LABEL=$label" "$data"
  chmod 700 "$data"
  install -d -m700 /var/lib/private
  was=$(systemctl is-active companion.service) || true
  if [ "$was" = active ]; then trap 'systemctl start companion.service' EXIT; fi
  systemctl stop companion.service companion-{page,evening,seats}.service
  fill
  put /etc/fstab "$(cat /etc/fstab; mounts)"
  systemctl daemon-reload
  for folder in "${folders[@]}"; do mount "$folder"; done
  if [ "$was" = active ]; then systemctl start companion.service; fi
  trap - EXIT
}

# --- the system -----------------------------------------------------------------------------------

leave_unchecked() { # disable the file system check of the initramfs, which writes to the card at each start
  if [ -e "$initramfs" ]; then return; fi
  put "$initramfs" 'fastboot=y'
  update-initramfs -u
}

make_read_only() { # write `switch` last, because that file makes the system read-only
  local timer
  if is_read_only; then say "The system is already read-only."; return; fi
  find_data "$@"
  keep_games
  leave_unchecked
  put "$journal" '[Journal]' 'Storage=volatile' # limit the memory that the journal uses
  put "$firmware" '[Mount]' 'Options=ro'
  for timer in "${timers[@]}"; do # stop updates: they fill the memory, and a restart deletes them
    put "$timer" '[Unit]' 'ConditionPathIsMountPoint=!/media/root-ro'
  done
  systemctl --quiet disable companion-root.service
  put "$switch" 'overlayroot="tmpfs:recurse=0"'
  sync
  say "The system is read-only after the next start. To restart now, run: sudo reboot"
}

make_writable() {
  local away=(rm -f "$switch" "$journal" "$firmware" "${timers[@]}")
  if is_read_only; then overlayroot-chroot "${away[@]}"; else "${away[@]}"; fi
  sync
  say "The system is writable after the next start. To restart now, run: sudo reboot"
}

case ${1:-} in
  read-only) check "$@"; make_read_only "${@:2}" ;;
  writable) check "$@"; make_writable ;;
  *) usage; [[ ${1:-} =~ ^(-h|--help)$ ]] ;;
esac
