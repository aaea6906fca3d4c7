# Before dpkg deletes. An update leaves the box playing: the new version's postinst stops it.
# shellcheck shell=bash
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  for unit in companion{-page.socket,-evening.socket,-seats.socket,-page,-evening,-seats,-stopped,}; do
    deb-systemd-invoke stop "$unit" || true
  done
fi
