# Before dpkg deletes a removed package: stop the box. During an update the box runs until the new version's postinst.
# shellcheck shell=bash
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  for unit in companion{-page.socket,-evening.socket,-seats.socket,-page,-evening,-seats,-stopped,}; do
    deb-systemd-invoke stop "$unit" || true
  done
fi
