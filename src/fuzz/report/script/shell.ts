/** The functions of every script. They use POSIX sh, awk, grep, tr, cut and curl, and nothing else. */
export const functions = `about='%{http_code} %{time_total} %{size_download} %{content_type}\\n'
# ask <name> <seconds> <arguments of curl>: sends what comes in, keeps the answer
ask() {
  name=$1 most=$2
  shift 2
  : >"$dir/$name.body"
  curl -sS --max-time "$most" -o "$dir/$name.body" -w "$about" "$@" >"$dir/$name.about" 2>"$dir/$name.error"
  echo $? >"$dir/$name.exit"
}
# flat <name>: the body of an answer on one line
flat() { tr -d '\\000\\r\\n' <"$dir/$1.body"; echo; }
told() { cut -d ' ' -f "$2" "$dir/$1.about"; }
no_answer() { [ "$(cat "$dir/$1.exit")" != 0 ]; }
# like <name> <status> <pattern>
like() { [ "$(told "$1" 1)" = "$2" ] && flat "$1" | grep -Eq -e "$3"; }`;

/** Functions that only some scripts need, by the word that calls them. */
export const rareFunctions: Readonly<Record<string, string>> = {
  tell: `# tell <name> <seconds>: sends what comes in on a bare connection, which curl spells telnet
tell() {
  name=$1 most=$2
  at=\${url#*://}
  at=\${at%%/*}
  case $url in
  https:*)
    case $at in *:*) ;; *) at=$at:443 ;; esac
    { cat; sleep "$most"; } | openssl s_client -quiet -connect "$at" >"$dir/$name.body" 2>"$dir/$name.error"
    ;;
  *)
    case $at in *:*) ;; *) at=$at:80 ;; esac
    { cat; sleep "$most"; } | curl -sS --max-time "$most" "telnet://$at" >"$dir/$name.body" 2>"$dir/$name.error"
    ;;
  esac
  status=$(awk 'NR == 1 { print $2 }' "$dir/$name.body")
  echo "\${status:-0} $most 0" >"$dir/$name.about"
  if [ -s "$dir/$name.body" ]; then echo 0; else echo 52; fi >"$dir/$name.exit"
}`,
  turn: `# turn <names>: by how many names their order is rotated in this round; by none in every second round
turn() { left=$((round % 2 * (round / 2 + 1) % $#)); }`,
  in_turn: `# in_turn <names>: the names in the order of this round
in_turn() {
  turn "$@"
  while [ "$left" -gt 0 ]; do
    set -- "$@" "$1"
    shift
    left=$((left - 1))
  done
  echo "$@"
}`,
  at_once: `# at_once <names> <arguments of curl, --next between>: one process sends them all, so that they meet. What is sent at
# once has no order, but it begins in one, and in another one they may meet more often
at_once() {
  names=$1 all=$dir/\${1%% *}
  shift
  turn $names
  while [ "$left" -gt 0 ]; do
    set -- "$@" --next
    until [ "$1" = --next ]; do
      set -- "$@" "$1"
      shift
    done
    shift
    left=$((left - 1))
  done
  for name in $names; do : >"$dir/$name.body"; done
  curl --no-progress-meter --parallel --parallel-immediate --parallel-max 50 "$@" >"$all.all" 2>"$all.errors"
  for name in $names; do
    grep "^$name " "$all.all" | cut -d ' ' -f 3- >"$dir/$name.about"
    code=$(grep "^$name " "$all.all" | cut -d ' ' -f 2)
    # Before 7.75 curl had no exit code for each request.
    [ -n "$code" ] || case $(told "$name" 1) in '' | 000) code=52 ;; *) code=0 ;; esac
    echo "$code" >"$dir/$name.exit"
    if no_answer "$name"; then cat "$all.errors"; fi >"$dir/$name.error"
  done
}
curl --parallel-immediate --version >"$dir/version" || exit 2`,
  ready: `# ready <names>: makes pipes for their bodies, so that curl can start before the bodies are known
ready() {
  for name; do
    rm -f "$dir/$name.sent"
    mkfifo "$dir/$name.sent"
  done
}`,
  tune: `# tune <name> <seconds> <arguments of curl>: begins a stream
tune() {
  name=$1 most=$2
  shift 2
  : >"$dir/$name.head"
  rm -f "$dir/pipe"
  mkfifo "$dir/pipe"
  curl -sSN --max-time "$most" -D "$dir/$name.head" "$@" >"$dir/pipe" 2>"$dir/$name.error" &
  tuned=$!
  exec 3<"$dir/pipe"
}`,
  hear: `# hear <name> <events>: keeps what the stream brings, and drops the stream after so many events
hear() {
  name=$1 events=$2
  cr=$(printf '\\r')
  n=0
  while [ $n -lt "$events" ]; do
    IFS= read -r line || { printf %s "$line"; break; }
    printf '%s\\n' "$line"
    case $line in '' | "$cr") n=$((n + 1)) ;; esac
  done <&3 >"$dir/$name.body"
  exec 3<&-
  kill "$tuned" 2>/dev/null
  wait "$tuned" 2>/dev/null
  status=
  IFS=' ' read -r line status line <"$dir/$name.head"
  status=\${status%"$cr"}
  echo "\${status:-000} 0 0" >"$dir/$name.about"
  if [ -n "$status" ]; then echo 0; else echo 52; fi >"$dir/$name.exit"
}`,
  many: `# many <times> <text>
many() { awk -v n="$1" -v s="$2" 'BEGIN { while (n-- > 0) printf "%s", s }'; }`,
  pick: `# pick <name> <member> <n>: the text that the n-th member of that name has in an answer
pick() {
  IFS= read -r line <"$dir/$1.body"
  left=$3
  # Most answers have no spaces there. Starting a process would lose a race.
  case $line in *"\\"$2\\" "* | *"\\"$2\\": "*) left=0 ;; esac
  while [ "$left" -gt 0 ]; do
    case $line in *"\\"$2\\":\\""*) line=\${line#*"\\"$2\\":\\""} ;; *) break ;; esac
    left=$((left - 1))
    [ "$left" -gt 0 ] || { echo "\${line%%\\"*}"; return; }
  done
  flat "$1" | awk -v k="\\"$2\\"" -v n="$3" '{
    while (match($0, k "[ \\t]*:[ \\t]*\\"[^\\"]*\\"")) {
      v = substr($0, RSTART, RLENGTH)
      $0 = substr($0, RSTART + RLENGTH)
      if (--n == 0) { sub(/"$/, "", v); sub(/^.*"/, "", v); print v; exit }
    }
  }'
}`,
  nap: `# nap <n>: short at first, as most tasks end soon; one second where sleep takes whole seconds only
nap() { if [ "$1" -gt 10 ] || ! sleep 0.05 2>/dev/null; then sleep 1; fi; }`,
  settled: `settled() { ! flat "$1" | grep -Eiq '"state"[ \\t]*:[ \\t]*"(task_state_)?(submitted|working)"'; }`,
  encoded: `# encoded <text>: as it stands in a URL
encoded() {
  printf '%s\\n' "$1" | awk '{
    gsub(/%/, "%25"); gsub(/[+]/, "%2B"); gsub("/", "%2F"); gsub(/:/, "%3A"); gsub(/=/, "%3D")
    print
  }'
}`,
  succeeds: `succeeds() { case $(told "$1" 1) in 2*) ;; *) return 1 ;; esac; }`,
  has: `# has <name> <text>
has() { flat "$1" | grep -Fq -e "$2"; }`,
  several: `# several <name> <member>: at least two different texts under members of this name
several() {
  first=$(pick "$1" "$2" 1)
  n=2
  while next=$(pick "$1" "$2" $n) && [ -n "$next" ]; do
    [ "$next" = "$first" ] || return 0
    n=$((n + 1))
  done
  return 1
}`,
  nulled: `# nulled <name>: null for an id
nulled() { flat "$1" | grep -Eq -e '"id"[[:blank:]]*:[[:blank:]]*null'; }`,
  differs: `# differs <name> <other name> <member>
differs() { [ "$(pick "$1" "$3" 1)" != "$(pick "$2" "$3" 1)" ]; }`,
  ended: `# ended <name> <state>
ended() { flat "$1" | grep -Eq -e "\\"state\\"[ \\t]*:[ \\t]*\\"$2\\""; }`,
  counts: `# counts <name> <member> <n>: at least n members of this name
counts() {
  flat "$1" | awk -v k="\\"$2\\"[ \\t]*:" -v n="$3" '{ found += gsub(k, "") } END { exit !(found >= n) }'
}`,
  repeats: `# repeats <name> <names>: a text under a member id that one of the other answers has too
repeats() {
  for name; do flat "$name"; done | awk '{
    while (match($0, /"id"[ \\t]*:[ \\t]*"[^"]*"/)) {
      id = substr($0, RSTART, RLENGTH)
      sub(/^"id"[ \\t]*:[ \\t]*/, "", id)
      $0 = substr($0, RSTART + RLENGTH)
      if (NR == 1) own[id]
      else if (id in own) found = 1
    }
  }
  END { exit !found }'
}`,
  misses: `# misses <names>: of these pages the last is the end of the listing, and the first one counts more tasks than they show.
# A JSON-RPC response has the id of its request beside those of tasks
misses() {
  for name; do flat "$name"; done | awk '
    NR == 1 && match($0, /"totalSize"[ \\t]*:[ \\t]*[0-9]+/) {
      total = substr($0, RSTART, RLENGTH)
      sub(/^[^0-9]*/, "", total)
    }
    /"(jsonrpc|result)"[ \\t]*:/ { responses++ }
    {
      isEnd = $0 ~ /"nextPageToken"[ \\t]*:[ \\t]*""/
      while (match($0, /"id"[ \\t]*:[ \\t]*"[^"]*"/)) {
        id = substr($0, RSTART, RLENGTH)
        sub(/^"id"[ \\t]*:[ \\t]*/, "", id)
        $0 = substr($0, RSTART + RLENGTH)
        if (!(id in seen)) shown++
        seen[id]
      }
    }
    END { exit !(total != "" && isEnd && shown - responses < total + 0) }'
}`,
  polled: `# polled <name> <pattern>: one of the looks of a wait is like it
polled() { grep -Eq -e "$2" "$dir/$1.polls"; }`,
  reopened: `# reopened <task> <names>: it was shown ended, and later in another state; of what was sent at once none is later
reopened() {
  task=$1
  shift
  for name; do
    if [ -f "$dir/$name.polls" ]; then
      awk -v name="$name" '{ print name "/" NR " " $0 }' "$dir/$name.polls"
    else
      printf '%s ' "\${name%-*}"
      flat "$name"
    fi
  done | awk -v task="$task" '
    # An event may tell of the past, but an end stays.
    function look(text, isNow, state, short, isEnd, one) {
      if (!match(text, "\\"" (isNow ? "id" : "(id|taskId)") "\\"[ \\t]*:[ \\t]*\\"" task "\\"")) return
      if (!match(text, "\\"status\\"[ \\t]*:[ \\t]*[{][^{}]*\\"state\\"[ \\t]*:[ \\t]*\\"[^\\"]*\\"")) return
      state = substr(text, RSTART, RLENGTH)
      sub(/"$/, "", state)
      sub(/^.*"/, "", state)
      short = tolower(state)
      sub(/^task_state_/, "", short)
      isEnd = short ~ /^(completed|canceled|failed|rejected)$/
      if (!isEnd && short !~ /^(submitted|working|(input|auth)[-_]required)$/) return
      if (isNow) for (one in ended) if (one != state) found = 1
      if (isEnd) now[state]
    }
    $1 != turn { for (one in now) ended[one]; split("", now); turn = $1 }
    {
      body = substr($0, index($0, " ") + 1)
      if (body ~ /^[ \\t]*[{]/) look(body, 1)
      else for (n = split(body, part, "data:"); n > 0; n--) look(part[n], 0)
    }
    END { exit !found }'
}`,
  unfinal: `# unfinal <name>: a stream came to its end, and its last status update is not final
unfinal() {
  ! no_answer "$1" || return 1
  last=$(grep '^data:.*"kind"[[:blank:]]*:[[:blank:]]*"status-update"' "$dir/$1.body" | tail -n 1)
  [ -n "$last" ] && ! printf '%s\\n' "$last" | grep -q '"final"[[:blank:]]*:[[:blank:]]*true'
}`,
  lacks: `# lacks <name> <text>...: at least one of the texts is not in the answer, and there is one
lacks() {
  in=$1
  shift
  [ -s "$dir/$in.body" ] || return 1
  for text; do flat "$in" | grep -Fq -e "$text" || return 0; done
  return 1
}`,
  silent: `# silent <name>: no answer, though a harmless request is answered much sooner, so the machine is not busy
silent() {
  no_answer "$1" || return 1
  # The first canary may have to wait: the agent may still work on the unanswered request.
  canary
  canary
  ! no_answer 0 && awk -v took="$(told "$1" 2)" -v usual="$(told 0 2)" 'BEGIN { exit !(took >= 5 * usual) }'
}`,
  slow: `# slow <name> <ms>: took at least so long, and much longer than a harmless request after it
slow() {
  canary
  awk -v took="$(told "$1" 2)" -v usual="$(told 0 2)" -v ms="$2" 'BEGIN { exit !(took * 1000 >= ms && took >= 5 * usual) }'
}`,
  large: `large() { [ "$(told "$1" 3)" -ge "$2" ]; }`,
  dead: `# dead: several tries, as an agent may end a moment after its answer, and be restarted
dead() {
  n=0
  while [ $n -lt 20 ]; do
    canary
    ! no_answer 0 || return 0
    n=$((n + 1))
  done
  return 1
}`,
};
