# dpkg runs this script before it deletes the package. During an update the box continues to run: the
# postinst of the new version stops the box.
# shellcheck shell=bash
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  for unit in companion{-page.socket,-evening.socket,-seats.socket,-page,-evening,-seats,-stopped,}; do
    deb-systemd-invoke stop "$unit" || true
  done
fi
