import { mediaType, printable, shellWord } from '../../../wire/index.js';
import type { Sent, Trace } from '../../execute/trace.js';
import { type Callers, replayOptions } from './credentials.js';
import { baseOf, type Command, commandOf, type ScriptSettings } from './request.js';
import { picksOf } from './slots.js';

/** The content of a script. */
export interface ScriptOptions {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  /** The broken sentences, one line each. */
  readonly sentences: readonly string[];
  readonly origin: string;
  /** The case, as a document. */
  readonly replay: unknown;
  /** Of the agent, as the user gave it. */
  readonly url: string;
  /** Of the kit, beside the URL and credentials: words of a shell. */
  readonly options: readonly string[];
  readonly callers: Callers;
  /** What the user must provide, with reasons. */
  readonly needs: readonly string[];
  /** The package that found it, `a2a-tck@1.2.3`. */
  readonly kit: string;
  /** What curl sends; undefined: it cannot send the case. */
  readonly requests: RequestPart | undefined;
}

/** Functions of the script that send requests, and the commands that call them. */
export interface RequestPart {
  readonly endpoint: string;
  /** Paths are put behind the endpoint, with a slash of their own. */
  readonly hasPaths: boolean;
  readonly variables: readonly string[];
  readonly needsJq: boolean;
  readonly lines: readonly string[];
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

/** A shell comment of one line, in printable characters. */
const comment = (text: string): string => `# ${printable(text, 400)}`;

/** How long curl waits for an answer, seconds. A stream that the kit left before its end is left as early. */
function secondsOf({ exchange, step }: Sent): number {
  const seconds = Math.ceil(exchange.durationMs / 1000);
  const isLeft = mediaType(exchange.response?.headers ?? []) === 'text/event-stream' || step.events !== undefined;
  if (exchange.failure?.kind === 'aborted' && isLeft) return Math.min(30, Math.max(1, seconds));
  return Math.min(30, Math.max(5, seconds + 2));
}

/** The name of a request in a script: `3`, or `3-2` for the second of those sent together. */
const nameIn =
  ({ case: { steps } }: Trace) =>
  ({ place: [at, among] }: Sent): string =>
    steps[at]?.step === 'together' ? `${at + 1}-${(among ?? 0) + 1}` : `${at + 1}`;

const ask = `# ask <name> <seconds> <arguments of curl>: sends a request, keeps its answer and shows it
ask() {
  name=$1 most=$2
  shift 2
  said=$(curl -sS -o "$dir/$name" -w 'HTTP %{http_code}, %{time_total} s' --max-time "$most" "$@" 2>&1)
  printf -- '--- request %s: %s\\n%s\\n' "$name" "$said" "$(head -c 2000 "$dir/$name" 2>/dev/null | tr -d '\\000-\\010\\013-\\037\\177')"
}`;

const tell = `# tell <name> <seconds>: sends what comes in on a bare connection, which curl spells telnet
tell() {
  at=\${url#*://}
  at=\${at%%/*}
  case $url in https:*) port=443 ;; *) port=80 ;; esac
  case $at in *:*) ;; *) at=$at:$port ;; esac
  case $url in
  https:*) { cat; sleep "$2"; } | openssl s_client -quiet -connect "$at" >"$dir/$1" 2>&1 ;;
  *) { cat; sleep "$2"; } | curl -sS --max-time "$2" "telnet://$at" >"$dir/$1" 2>&1 ;;
  esac
  printf -- '--- request %s: over a bare connection\\n%s\\n' "$1" "$(head -c 2000 "$dir/$1" | tr -d '\\000-\\010\\013-\\037\\177')"
}`;

const settled = `# settled <name>: the answer shows a task that no longer works
settled() {
  jq -e '[.. | objects | .status | objects | .state | strings] | any(test("completed|canceled|failed|rejected|required"; "i"))' "$dir/$1" >/dev/null 2>&1
}`;

function requested({ input, words }: Command, name: string, seconds: number): string {
  const piped = input.length > 1 ? `{\n${indented(input.join('\n'))}\n} | ` : `${input.join('')} | `;
  // `sleep` of POSIX takes whole seconds.
  if (words === undefined) return `${piped}tell ${name} ${Math.min(seconds, 4)}`;
  return input.length === 0
    ? `ask ${name} ${seconds} ${words}`
    : `${piped}ask ${name} ${seconds} ${words} --data-binary @-`;
}

/** The requests of a trace as curl sends them, with ids of tasks taken out of earlier answers by jq. */
export function requestsAs(trace: Trace, spelling: ScriptSettings): RequestPart {
  const nameOf = nameIn(trace);
  const picked = picksOf(trace, nameOf);
  // Of the reads of a wait the last one.
  const last = [...new Map(trace.sent.map((request) => [nameOf(request), request])).values()];
  const variables = new Set<string>();
  const steps = trace.case.steps.map(({ step }, at) => {
    const sent = last.filter(({ place }) => place[0] === at);
    const lines = sent.map((request) => {
      const command = commandOf(request.exchange, picked.slots, spelling);
      for (const name of command.variables) variables.add(name);
      const line = requested(command, nameOf(request), secondsOf(request));
      return { request, line };
    });
    const texts = lines.flatMap(({ request, line }) => {
      const about = comment(
        request.demand === 'valid' ? request.step.operation : `${request.step.operation}, ${request.demand}`,
      );
      if (step === 'together') return [about, `${line} &`];
      if (step !== 'wait') return [about, line];
      const loop = [
        `until settled ${nameOf(request)} || [ $n -ge 20 ]; do`,
        indented(`${line}\nn=$((n + 1))\nsleep 1`),
        'done',
      ];
      return ['# until the task has settled', 'n=0', ...loop];
    });
    return [
      ...texts,
      ...(step === 'together' && texts.length > 0 ? ['wait'] : []),
      ...sent.flatMap((request) => picked.picks(nameOf(request))),
    ];
  });
  const body = steps.flat();
  const calls = (name: string): boolean => body.some((line) => new RegExp(`\\b${name} \\d`).test(line));
  return {
    endpoint: baseOf(spelling),
    hasPaths: spelling.dialect.binding.requests !== 'envelopes',
    variables: [...variables],
    needsJq: picked.slots.length > 0 || calls('settled'),
    lines: [ask, ...(calls('tell') ? [tell] : []), ...(calls('settled') ? [settled] : []), ...body],
  };
}

const required = (name: string): string => `: "\${${name}:?put the credential into this variable}"`;

const sending = ({ endpoint, hasPaths, variables, needsJq, lines }: RequestPart): readonly string[] => [
  '# The requests by curl. They show the requests and the answers; the kit below judges the agent by them.',
  `if [ "\${1-}" = curl ]; then`,
  indented(
    [
      ...(needsJq
        ? ["command -v jq >/dev/null || { echo 'jq takes the ids out of the answers: install it' >&2; exit 2; }"]
        : []),
      ...variables.map(required),
      `url=\${2:-${shellWord(endpoint)}}`,
      ...(hasPaths ? [`url=\${url%/}`] : []),
      'dir=$(mktemp -d) || exit 2',
      `trap 'rm -rf "$dir"' EXIT`,
    ].join('\n'),
  ),
  ...lines,
  '  exit 0',
  'fi',
];

/**
 * A POSIX shell script of a finding. It hands the case to the kit and ends with 0 if the finding shows, 1 if it does
 * not, 2 without an agent or a kit; with `curl` as its first argument it sends the requests by curl and prints the
 * answers. It names the variables of credentials, and has no value of them.
 */
export function scriptOf(options: ScriptOptions): string {
  const { id, kit, requests } = options;
  const { variables, words } = replayOptions(options.callers);
  return [
    '#!/bin/sh',
    comment(`${id}: ${options.title}`),
    comment(options.detail),
    ...options.sentences.map((sentence) => comment(`Broken: ${sentence}`)),
    comment(options.origin),
    ...options.needs.map((line) => `# ${line}`),
    `# sh ${id}.sh [url] [options of a2a-tck fuzz]; exit code 0: it shows, 1: it does not, 2: no agent or no kit.`,
    ...(requests === undefined
      ? []
      : [`# sh ${id}.sh curl [endpoint]: the same requests by curl, and what is answered.`]),
    `# A2A_TCK: how the kit is run, "npx --yes ${kit}" unless said.`,
    ...(requests === undefined ? [] : sending(requests)),
    ...variables.map(required),
    `url=${shellWord(options.url)}`,
    `case \${1-} in http://* | https://* | grpc://* | grpcs://*) url=$1; shift ;; esac`,
    `kit=\${A2A_TCK:-npx --yes ${kit}}`,
    // npm ends with 1, too, where it finds no kit.
    '$kit --version >/dev/null 2>&1 || { echo "the kit cannot be run: $kit" >&2; exit 2; }',
    `file=\${TMPDIR:-/tmp}/${id}.$$.json`,
    `trap 'rm -f "$file"' EXIT`,
    `printf '%s\\n' ${shellWord(JSON.stringify(options.replay))} >"$file"`,
    `$kit fuzz --url "$url" ${[...options.options, ...words, '--replay "$file"', '"$@"'].join(' ')}`,
    'case $? in 0) exit 1 ;; 1) exit 0 ;; *) exit 2 ;; esac',
    '',
  ].join('\n');
}
