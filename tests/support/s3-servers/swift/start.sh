#!/bin/bash
# Starts a one-node Swift with its S3 API on 127.0.0.1, from a folder, as the calling user, without systemd.
# Called by ../start.sh; environment: see there, and S3_LOG (INFO)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=${1:?folder}; mkdir -p "$home"; home=$(cd "$home" && pwd)
pkgs=${S3_PACKAGES:-$home/packages}; base=${S3_BASE_PORT:-26000}
bash "$here/../fetch.sh" "$pkgs" python3-swift memcached; pkgs=$(cd "$pkgs" && pwd)
export PYTHONPATH=$pkgs/root/usr/lib/python3/dist-packages
export LD_LIBRARY_PATH=$(echo "$pkgs"/root/usr/lib/*-linux-gnu)
export PYTHONWARNINGS=ignore
py=/usr/bin/python3   # Debian's own: the unpacked C extensions are built for it, a pyenv python may not fit
mkdir -p "$home"/{etc,devices/d1,run,log}
chmod 700 "$home/etc"
port() { echo $((base + $1)); }
if [ ! -f "$home/connection.json" ]; then
  rnd() { od -An -N20 -tx1 /dev/urandom | tr -d ' \n'; }
  secret=$(rnd); secret2=$(rnd); hash=$(rnd)
  for t in "$here"/*.conf.in; do
    f=$home/etc/$(basename "${t%.in}")
    ( umask 077; sed -e "s|@HOME@|$home|g; s|@USER@|$(id -un)|g; s|@HASH@|$hash|g; s|@LOG@|${S3_LOG:-INFO}|g" \
      -e "s|@ACCOUNT@|tierwatch|g; s|@S3USER@|writer|g; s|@SECRET@|$secret|g; s|@SECRET2@|$secret2|g" \
      -e "s|@PORT_PROXY@|$(port 80)|g; s|@PORT_OBJECT@|$(port 0)|g; s|@PORT_CONTAINER@|$(port 1)|g; s|@PORT_ACCOUNT@|$(port 2)|g; s|@PORT_MEMCACHE@|$(port 11)|g" "$t" > "$f" )
  done
  # rings carry the ports, so changing S3_BASE_PORT needs a new HOME_DIR
  "$py" "$here/rings.py" "$home/etc" object="$(port 0)" container="$(port 1)" account="$(port 2)"
  ( umask 077; printf '{"endpoint":"http://127.0.0.1:%s","region":"us-east-1","accessKeyId":"tierwatch:writer","secretAccessKey":"%s","forcePathStyle":true,"reader":{"accessKeyId":"tierwatch:reader","secretAccessKey":"%s"}}\n' "$(port 80)" "$secret" "$secret2" > "$home/connection.json" )
fi
alive() { local f; [ -s "$home/run/$1.pid" ] && f=/proc/$(cat "$home/run/$1.pid")/cmdline && [ -r "$f" ] && tr '\0' ' ' 2>/dev/null <"$f" | grep -q -e "$home/etc" -e memcached; }
launch() { local name=$1; shift; alive "$name" && return 0; ( cd "$home"; exec setsid "$@" </dev/null >>"$home/log/$name.log" 2>&1 ) & echo $! > "$home/run/$name.pid"; }
# tempauth refuses to work without memcached ("Memcache required", answered as 500)
mc=$pkgs/root/usr/bin/memcached; [ -x "$mc" ] || mc=$(command -v memcached)
launch memcached "$mc" -l 127.0.0.1 -p "$(port 11)" -U 0 -m 16 -t 1 -u "$(id -un)"
for k in account container object proxy; do launch $k "$py" "$here/serve.py" $k "$home/etc/$k-server.conf" "$home/etc"; done
for i in $(seq 1 200); do
  ok=1
  for p in 0 1 2 80; do ( exec 3<>"/dev/tcp/127.0.0.1/$(port $p)"; printf 'GET /healthcheck HTTP/1.0\r\n\r\n' >&3; read -r _ c _ <&3; [ "$c" = 200 ] ) 2>/dev/null || { ok=0; break; }; done
  [ $ok = 1 ] && { echo "ready: $home/connection.json"; exit 0; }
  for k in account container object proxy; do alive $k || { echo "$k ended:" >&2; tail -5 "$home/log/$k.log" >&2; exit 1; }; done
  sleep 0.1
done
echo 'not ready after 20 s' >&2; exit 1
