#!/usr/bin/env bash
# Write an apt repository with these packages into the folder DIR, for any web host:
#
#   systemd/deb/repository.sh DIR KEY PACKAGE...
#
# KEY is the ID or the e-mail address of a gpg key on this machine. Machines that use the repository
# need DIR/companion.asc in /etc/apt/keyrings (docs/builders/packages.md).
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1 key=$2
shift 2
declare -A numbers=([bookworm]=12 [trixie]=13)

sign() { gpg --batch --yes --local-user "$key" --armor --output "$@"; }

gpg --list-secret-keys "$key" >/dev/null || { echo "repository.sh: gpg has no secret key '$key'" >&2; exit 1; }
mkdir -p "$folder"
for suite in "${!numbers[@]}"; do
  mkdir -p "$folder/pool/$suite"
  for package in "$@"; do # the version of a package contains the number of its Debian release
    case $package in *+deb"${numbers[$suite]}"_*.deb) cp "$package" "$folder/pool/$suite/" ;; esac
  done
  (
    cd "$folder"
    for arch in amd64 arm64; do
      list=dists/$suite/main/binary-$arch
      mkdir -p "$list"
      apt-ftparchive --arch "$arch" packages "pool/$suite" >"$list/Packages"
      gzip --keep --force --no-name -9 "$list/Packages"
    done
    rm -f "dists/$suite"/{Release,InRelease,Release.gpg}
    about=(Origin=Companion Label=Companion "Suite=$suite" "Codename=$suite" Components=main
      'Architectures=amd64 arm64')
    apt-ftparchive "${about[@]/#/-oAPT::FTPArchive::Release::}" release "dists/$suite" >Release.new
    mv Release.new "dists/$suite/Release"
    sign "dists/$suite/InRelease" --clearsign "dists/$suite/Release"
    sign "dists/$suite/Release.gpg" --detach-sign "dists/$suite/Release"
  )
done
sign "$folder/companion.asc" --export "$key"
