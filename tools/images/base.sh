#!/usr/bin/env bash
# Makes stand-ins of the two images that docker/Dockerfile begins with, for a Debian machine that can pull nothing: root, apt,
# debootstrap and a container engine are needed (CONTAINER_ENGINE, else docker). Images that are there already are left alone.
#   base.sh [build] [runtime]
#   opendsr-build-base:local   BUILD_IMAGE: Debian with this machine's Node and npm, and the authorities that this machine trusts
#   opendsr-base:local         BASE_IMAGE: the libraries of gcr.io/distroless/cc-debian12 from the same packages; no shell
set -euo pipefail

engine="${CONTAINER_ENGINE:-docker}"
suite="$(. /etc/os-release && echo "$VERSION_CODENAME")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

exists() { "$engine" image inspect "$1" >/dev/null 2>&1; }

build_base() {
  local root="$work/build"
  debootstrap --variant=minbase --include=ca-certificates,libstdc++6 "$suite" "$root" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log" >&2; return 1; }
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  cp "$(readlink -f "${NODE:-/usr/bin/node}")" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -a "$(dirname "$(dirname "$(dirname "$(readlink -f "${NPM:-/usr/bin/npm}")")")")/npm" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  # A network whose registry is behind an authority of its own: it is trusted while building, and does not get into the image.
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  # One variable a change: Podman takes the rest of the line for its value.
  tar -C "$root" -c . | "$engine" import --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
    --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' - "$1" >/dev/null
}

runtime_base() {
  local root="$work/base"
  mkdir -p "$root"
  (cd "$work" && apt-get -o APT::Sandbox::User=root -qq download base-files libc6 libgcc-s1 libstdc++6 ca-certificates tzdata netbase)
  for package in "$work"/*.deb; do dpkg-deb --extract "$package" "$root"; done
  # What the packages' scripts would have made.
  find "$root/usr/share/ca-certificates" -name '*.crt' | LC_ALL=C sort | xargs cat >"$root/etc/ssl/certs/ca-certificates.crt"
  printf 'root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n' >"$root/etc/passwd"
  printf 'root:x:0:\nnobody:x:65534:\nnonroot:x:65532:\n' >"$root/etc/group"
  printf 'hosts: files dns\n' >"$root/etc/nsswitch.conf"
  rm -rf "$root"/usr/share/{doc,man,lintian,locale,bug} "$root"/usr/sbin "$root"/usr/bin
  tar -C "$root" --owner=0 --group=0 -c . | "$engine" import --change 'USER 65532:65532' --change 'ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt' - "$1" >/dev/null
}

[ $# -gt 0 ] || set -- build runtime
for which; do
  case "$which" in
    build) exists opendsr-build-base:local || build_base opendsr-build-base:local ;;
    runtime) exists opendsr-base:local || runtime_base opendsr-base:local ;;
    *) echo "base.sh: no such stand-in: $which" >&2; exit 2 ;;
  esac
done
