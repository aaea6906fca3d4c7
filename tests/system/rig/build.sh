#!/usr/bin/env bash
# Build the simulated Pi in $RIG_CACHE: Debian's kernel, our module, a small Debian with systemd.
# Everything comes from Debian packages and PyPI wheels. A stage is skipped if its product was made
# of equal files. Needs root (for the packages and the root file system).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
cache=${RIG_CACHE:-$HOME/.cache/pirig}
suite=${RIG_SUITE:-bookworm}
export DEBIAN_FRONTEND=noninteractive
mkdir -p "$cache/debs" "$cache/wheels"

say() { echo "[$SECONDS s] $*"; }

made_of() { # made_of PRODUCT SOURCE...: succeed if PRODUCT exists and its sources are unchanged
  local product=$1
  shift
  [ -e "$product" ] && sha256sum "$@" | cmp -s - "$product.made-of"
}

note() { # note PRODUCT SOURCE...: record the checksums of the sources of PRODUCT
  local product=$1
  shift
  sha256sum "$@" >"$product.made-of"
}

install_tools() {
  local package missing=()
  for package in qemu-system-x86 qemu-utils mmdebstrap kmod cpio e2fsprogs fdisk openssh-client \
    gcc make libelf-dev bc "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "apt-get install ${missing[*]}"
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$cache/apt.log" 2>&1
}

fetch_kernel() { # fetch the kernel, unless the cache has a version
  if [ ! -e "$cache/release" ]; then
    apt-get update -qq
    local package
    package=$(apt-cache depends linux-image-amd64 | awk '/Depends/ {print $2; exit}')
    (cd "$cache/debs" && apt-get download -qq "$package" 2>/dev/null)
    rm -rf "$cache/kernel"
    dpkg-deb -x "$cache/debs/$package"_*.deb "$cache/kernel"
    /sbin/depmod -b "$cache/kernel" "${package#linux-image-}"
    echo "${package#linux-image-}" >"$cache/release"
    say "fetched the kernel ${package#linux-image-}"
  fi
  release=$(cat "$cache/release")
  modules=$cache/kernel/lib/modules/$release
  install_tools "linux-headers-$release"
}

build_module() {
  made_of "$cache/pirig.ko" module/* && return
  rm -rf "$cache/module"
  cp -r module "$cache/module"
  make -C "$cache/module" KREL="$release" >"$cache/module.log" 2>&1 ||
    { tail -30 "$cache/module.log"; exit 1; }
  strip -g -o "$cache/pirig.ko" "$cache/module/pirig.ko"
  note "$cache/pirig.ko" module/*
  say "built the module"
}

fetch_system() {
  made_of "$cache/system.tar" packages.txt && return
  mmdebstrap --variant=minbase --include="$(paste -sd, packages.txt)" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$suite" "$cache/system.part.tar" >"$cache/system.log" 2>&1
  mv "$cache/system.part.tar" "$cache/system.tar"
  note "$cache/system.tar" packages.txt
  say "fetched Debian $suite"
}

guest_python() { # print the version of the suite's python, as pip writes it
  tar -tf "$cache/system.tar" | sed -n 's|^\./usr/bin/python3\.\([0-9]*\)$|3\1|p' | head -1
}

fetch_wheels() { # fetch the libraries with which the rig compares the box
  made_of "$cache/wheels" requirements.txt && return
  rm -f "$cache"/wheels/*.whl
  python3 -m pip download -q -d "$cache/wheels" --only-binary :all: \
    --python-version "$(guest_python)" --platform manylinux_2_34_x86_64 \
    --platform manylinux_2_28_x86_64 --platform manylinux2014_x86_64 \
    -r requirements.txt 2>"$cache/pip.log" || { cat "$cache/pip.log"; exit 1; }
  note "$cache/wheels" requirements.txt
  say "fetched the wheels"
}

copy_modules() { # copy the kernel modules that the guest needs to resemble a Pi
  local part to=$root/lib/modules/$release
  mkdir -p "$to/extra"
  cp "$modules"/modules.{builtin,builtin.modinfo,order} "$to/"
  for part in arch crypto lib fs/ext4 fs/jbd2 fs/mbcache.ko fs/fuse fs/overlayfs fs/nls \
    fs/configfs fs/squashfs net/core net/unix net/ipv6 net/netfilter net/ipv4 \
    drivers/virtio drivers/block/virtio_blk.ko drivers/block/loop.ko drivers/block/zram \
    drivers/char/hw_random drivers/i2c/i2c-dev.ko drivers/net/virtio_net.ko \
    drivers/net/net_failover.ko drivers/watchdog sound/core sound/drivers sound/soundcore.ko; do
    [ -e "$modules/kernel/$part" ] || continue
    mkdir -p "$to/kernel/$(dirname "$part")"
    cp -r "$modules/kernel/$part" "$to/kernel/$(dirname "$part")/"
  done
  cp "$cache/pirig.ko" "$to/extra/"
  /sbin/depmod -b "$root" "$release"
}

chrooted() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" "$@"; }

set_up() { # set host name, network, ssh and users, and add the changes of Raspberry Pi OS
  local unit # a systemd unit, later the name of a group
  echo pirig >"$root/etc/hostname"
  echo '127.0.0.1 localhost pirig' >"$root/etc/hosts"
  echo 'LABEL=root / ext4 defaults,noatime 0 1' >"$root/etc/fstab"
  printf 'pirig\nsnd-dummy\n' >"$root/etc/modules-load.d/pirig.conf"
  mkdir -p "$root/boot/firmware"
  echo '# as on Raspberry Pi OS' >"$root/boot/firmware/config.txt"
  install -m644 inside/pirig-net.service "$root/etc/systemd/system/"
  install -m644 inside/99-com.rules "$root/etc/udev/rules.d/"
  mkdir -p "$root/etc/systemd/system/multi-user.target.wants" "$root/etc/systemd/journald.conf.d"
  ln -sf /etc/systemd/system/pirig-net.service \
    "$root/etc/systemd/system/multi-user.target.wants/"
  for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
    e2scrub_reap.service fstrim.timer systemd-networkd.service getty@tty1.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
  done
  printf '[Journal]\nStorage=persistent\nSystemMaxUse=64M\n' \
    >"$root/etc/systemd/journald.conf.d/pirig.conf"
  [ -e "$cache/id" ] || ssh-keygen -q -t ed25519 -N '' -f "$cache/id"
  install -d -m700 "$root/root/.ssh"
  install -m600 "$cache/id.pub" "$root/root/.ssh/authorized_keys"
  printf '%s\n' 'UseDNS no' 'UsePAM no' 'PermitRootLogin prohibit-password' 'PrintMotd no' \
    'MaxSessions 50' 'MaxStartups 50:30:100' >"$root/etc/ssh/sshd_config.d/pirig.conf"
  rm -f "$root"/etc/ssh/ssh_host_{rsa,ecdsa}_key*
  for unit in gpio i2c spi; do chrooted groupadd -f -r "$unit"; done
  chrooted useradd -m -s /bin/bash -G gpio,i2c,spi,audio pi
  chrooted systemctl set-default multi-user.target >/dev/null 2>&1
  mkdir -p "$root/opt/stock/wheels"
  cp "$cache"/wheels/*.whl "$root/opt/stock/wheels/"
  cp requirements.txt inside/stock.py "$root/opt/stock/"
  chrooted python3 -m venv /opt/stock/venv
  chrooted /opt/stock/venv/bin/pip install -q --no-cache-dir --no-index \
    --find-links /opt/stock/wheels -r /opt/stock/requirements.txt
  rm -r "$root/opt/stock/wheels"
  install -m755 inside/pirig "$root/usr/local/sbin/pirig"
}

make_initrd() { # make an initrd with busybox and the modules for the disk, which starts the system
  local module file initrd=$cache/initrd
  rm -rf "$initrd"
  mkdir -p "$initrd"/{bin,dev,proc,sys,mnt,m}
  cp "$root/bin/busybox" "$initrd/bin/busybox"
  for file in sh insmod mount switch_root sleep; do ln -s busybox "$initrd/bin/$file"; done
  : >"$initrd/order"
  for module in virtio_pci virtio_blk ext4; do
    /sbin/modprobe -d "$cache/kernel" -S "$release" --show-depends "$module" |
      awk '$1 == "insmod" {print $2}' | while read -r file; do
      grep -qx "$(basename "$file")" "$initrd/order" && continue
      cp "$modules/${file#*"$release"/}" "$initrd/m/"
      basename "$file" >>"$initrd/order"
    done
  done
  install -m755 inside/init "$initrd/init"
  (cd "$initrd" && find . | cpio -o -H newc --quiet | gzip -1) >"$cache/initrd.gz"
  rm -rf "$initrd"
}

make_image() {
  local sources
  mapfile -t sources < <(find inside -maxdepth 1 -type f | sort) # skip __pycache__
  sources+=(build.sh "$cache"/{system.tar,pirig.ko,wheels}.made-of)
  made_of "$cache/root.img" "${sources[@]}" && return
  root=$cache/root
  rm -rf "$root"
  mkdir "$root"
  tar -C "$root" -xf "$cache/system.tar"
  copy_modules
  set_up
  make_initrd
  cp "$cache/kernel/boot/vmlinuz-$release" "$cache/vmlinuz"
  rm -f "$cache/root.img.part"
  truncate -s 2G "$cache/root.img.part"
  /sbin/mke2fs -q -t ext4 -L root -d "$root" "$cache/root.img.part"
  mv "$cache/root.img.part" "$cache/root.img"
  note "$cache/root.img" "${sources[@]}"
  rm -rf "$root"
  say "built the image: $(du -sm "$cache/root.img" | cut -f1) MB"
}

install_tools
fetch_kernel
build_module
fetch_system
fetch_wheels
make_image
say "The rig is ready in $cache"
