# Before dpkg unpacks: what runs is kept, and runs on. A cut from here on leaves it whole.
# shellcheck shell=bash disable=SC2154
if [ -e /opt/companion/venv ]; then
  echo "companion: systemd/install.sh has installed it here. Take that away first: in the release's" >&2
  echo "folder, sudo ./systemd/install.sh --uninstall. The games stay, and the package goes on." >&2
  exit 1
fi
running=$(readlink "$home/current" || true)
case $1 in
  install | upgrade)
    if [ -n "$running" ] && [ "$running" != before ]; then
      rm -rf "$home/before" "$home/before.new"
      cp -al "$home/$running" "$home/before.new"
      mv "$home/before.new" "$home/before"
      keep_units
      point_to before
    fi
    ;;
esac
