#!/bin/sh
# f-de098c63: an answer to get shows a stack trace
# a2a-tck fuzz, seed 2386347208, case 1, a2a-1.0-grpc; seen 3 times of 3
# The requests are messages of gRPC, which a shell can neither write nor read.
# sh f-de098c63.sh [url] [options of a2a-tck fuzz]; exit code 0: it shows, 1: it does not, 2: no agent or no kit.
# A2A_TCK: how the kit is run, "npx --yes a2a-tck@0.1.0" unless said.
url=http://127.0.0.1:44101
case ${1-} in http://* | https://*) url=$1; shift ;; esac
kit=${A2A_TCK:-npx --yes a2a-tck@0.1.0}
$kit --version >/dev/null 2>&1 || { echo "the kit cannot be run: $kit" >&2; exit 2; }
file=${TMPDIR:-/tmp}/f-de098c63.$$.json
trap 'rm -f "$file"' EXIT
printf '%s\n' '{"schema":"a2a-tck-fuzz-case/1","kit":"a2a-tck 0.1.0","bucket":"leak/a stack trace get","why":"an answer to get shows a stack trace","dialect":"a2a-1.0-grpc","steps":[{"step":"call","operation":"get","params":{"id":"task"},"tricks":[{"trick":"message-end","hex":"c73e","inside":0}]}]}' >"$file"
$kit fuzz --url "$url" --binding grpc --replay "$file" "$@"
case $? in 0) exit 1 ;; 1) exit 0 ;; *) exit 2 ;; esac
