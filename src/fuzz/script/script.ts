import { withQuery } from '../../client/index.js';
import type { Dialect } from '../../dialect/index.js';
import { type Exchange, printable, shellWord } from '../../wire/index.js';
import type { Settled } from '../settlement.js';
import type { Sent, Trace } from '../trace.js';
import { type Command, commandOf, type Spelling } from './request.js';
import { functions, rareFunctions } from './shell.js';
import { lastAt, nameOf, type Sign, signsOf } from './signs.js';
import { type Picked, picksOf } from './slots.js';

export interface ScriptOptions extends Spelling {
  readonly dialect: Dialect;
  readonly id: string;
  /** Sentences that are broken, one line each. */
  readonly sentences: readonly string[];
  readonly origin: string;
}

const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

/** A body that is no shell text is cut at its line ends nowhere: no word of it holds one. */
const comment = (text: string, limit = 400): string => `# ${printable(text, limit)}`;

/** How long an answer is waited for. */
const secondsOf = ({ durationMs, failure }: Exchange): number => {
  const seconds = durationMs / 1000;
  // A case is made as small as it gets: the agent may answer just after the limit.
  if (failure?.kind === 'timeout') return Math.min(30, Math.max(2, Math.floor(0.8 * seconds)));
  // As long as the kit waited, and a bit.
  return Math.min(30, Math.max(5, Math.ceil(seconds) + 2));
};

/** Reads a task that nobody has: an agent that lives refuses it at once. */
function canary({ dialect, endpoint, callers }: ScriptOptions): Exchange {
  const { method, params } = dialect.operations.get;
  const request = { jsonrpc: '2.0', id: 'canary', method, params: params.encode({ id: 'a2a-tck-no-such-task' }) };
  return {
    id: 'canary',
    purpose: 'canary',
    request: {
      method: 'POST',
      url: withQuery(endpoint, callers.query ?? []),
      headers: [['content-type', 'application/json'], ...dialect.headers, ...callers.credentials],
      body: new TextEncoder().encode(JSON.stringify(request)),
    },
    startedAt: 0,
    durationMs: 0,
  };
}

const check = (sign: Sign): string => {
  if (sign.kind === 'dead') return 'dead';
  const { place } = sign;
  switch (sign.kind) {
    case 'no-answer':
      return `no_answer ${place}`;
    case 'text':
      return `has ${place} ${shellWord(sign.text)}`;
    case 'accepted':
      return `has ${place} '"result"'`;
    case 'differs':
      return `differs ${place} ${sign.from} ${sign.member}`;
    case 'several':
      return `several ${place} ${sign.member}`;
    case 'lacks':
      return `lacks ${place} ${sign.texts.map(shellWord).join(' ')}`;
    case 'slow':
      return `slow ${place} ${sign.ms}`;
    case 'large':
      return `large ${place} ${sign.bytes}`;
    case 'like':
      return `like ${place} ${sign.status} ${shellWord(sign.pattern)}`;
  }
};

const words: Readonly<Record<Sign['kind'], string>> = {
  dead: 'no answer to a harmless request afterwards',
  'no-answer': 'no answer',
  text: 'a text that must not be there',
  accepted: 'a result',
  differs: 'an id that was another one before',
  several: 'several tasks in the answer',
  lacks: 'something that is missing in the answer',
  slow: 'an answer that takes long',
  large: 'an answer that is large',
  like: 'the answer that is shown',
};

function lookFor(signs: readonly Sign[]): string {
  if (signs.length === 0) return 'the answers differ from run to run: read them';
  const told = signs.map((sign) =>
    sign.kind === 'dead' ? words.dead : `${words[sign.kind]} to request ${sign.place}`,
  );
  return told.length > 3 ? `the answers to all ${told.length} requests as they are shown` : told.join(', and ');
}

interface Part {
  readonly text: string;
  readonly variables: readonly string[];
}

/** The requests of one step, in order. */
function stepPart(trace: Trace, at: number, picked: Picked, options: ScriptOptions): Part {
  const own = [...lastAt(trace).values()].filter(({ place }) => place[0] === at);
  const commands = own.map((sent) => ({
    name: nameOf(sent, trace),
    sent,
    command: commandOf(sent.exchange, nameOf(sent, trace), secondsOf(sent.exchange), picked.slots, options),
  }));
  const step = trace.case.steps[at];
  const picks = own.flatMap((sent) => picked.picks(nameOf(sent, trace)));
  const variables = commands.flatMap(({ command }) => command.variables);
  return { text: [...stepLines(step?.step ?? 'call', commands), ...picks].join('\n'), variables };
}

type Commands = readonly { readonly name: string; readonly sent: Sent; readonly command: Command }[];

function stepLines(kind: 'call' | 'wait' | 'together', commands: Commands): readonly string[] {
  const about = ({ step, demand }: Sent): string =>
    demand === 'valid' ? step.operation : `${step.operation}, ${demand}`;
  if (kind === 'together') {
    return [
      '# at once',
      ...commands.flatMap(({ sent, command }) => [comment(about(sent)), `(\n${indented(command.text, '  ')}\n) &`]),
      'wait',
    ];
  }
  if (kind === 'call') return commands.flatMap(({ sent, command }) => [comment(about(sent)), command.text]);
  return commands.flatMap(({ name, command }) => [
    '# until the task has settled',
    'n=0',
    'while [ $n -lt 15 ]; do',
    indented(command.text, '  '),
    `  settled ${name} && break`,
    '  n=$((n + 1))',
    '  sleep 1',
    'done',
  ]);
}

/** Shows every answer, in order of the requests. */
const reportFunction = (trace: Trace): string =>
  [
    'report() {',
    `  for name in ${[...lastAt(trace).keys()].join(' ')}; do`,
    '    echo "--- request $name: HTTP $(told "$name" 1), $(told "$name" 2) s"',
    '    [ -s "$dir/$name.error" ] && cat "$dir/$name.error"',
    `    flat "$name" | tr -d '\\001-\\010\\013-\\037\\177' | awk '{ print substr($0, 1, 2000) }'`,
    '  done',
    '}',
  ].join('\n');

/** Flaky ones and races need several tries; else a second one is for an agent that was busy. */
const triesOf = ({ times, of, case: { steps } }: Settled): number =>
  times < of || steps.some(({ step }) => step === 'together') ? 20 : 3;

/** The functions that a text calls, and those that they call. */
function neededBy(text: string): readonly string[] {
  const called = (part: string): readonly string[] =>
    Object.keys(rareFunctions).filter((name) => new RegExp(`\\b${name}(\\s|$)`, 'm').test(part));
  const first = called(text);
  const all = new Set([...first, ...first.flatMap((name) => called(rareFunctions[name] ?? ''))]);
  return Object.entries(rareFunctions).flatMap(([name, one]) => (all.has(name) ? [one] : []));
}

/**
 * A POSIX shell script that sends the requests of a finding alone and tells by its exit code whether the fault shows: 0
 * it does, 1 it does not, 2 no agent answers. Its first argument is another endpoint to send them to.
 */
export function scriptOf(found: Settled, options: ScriptOptions): string {
  const [first] = found.shown;
  if (first === undefined) return '';
  const { trace } = first;
  const signs = signsOf(found.symptom, found.shown, options.redact);
  const picked = picksOf(trace);
  const parts = found.case.steps.map((_, at) => stepPart(trace, at, picked, options));
  const alive = commandOf(canary(options), '0', 10, [], options);
  const steps = parts.map(({ text }) => indented(text, '  ')).join('\n');
  const checks = signs.length === 0 ? 'false' : signs.map(check).join(' &&\n    ');
  const body = [
    `canary() {\n${indented(alive.text, '  ')}\n}`,
    `steps() {\n${steps}\n}`,
    `shows() {\n  ${checks}\n}`,
  ].join('\n');
  const rare = neededBy(body);
  const variables = [...new Set([...alive.variables, ...parts.flatMap((part) => part.variables)])];
  return [
    '#!/bin/sh',
    comment(`${options.id}: ${found.symptom.title}`),
    comment(found.symptom.detail),
    ...options.sentences.map((one) => comment(`Broken: ${one}`)),
    comment(`Look for: ${lookFor(signs)}.`),
    comment(options.origin),
    `# sh ${options.id}.sh [endpoint]; exit code 0: it shows, 1: it does not, 2: no agent answers.`,
    'set -u',
    'LC_ALL=C',
    'export LC_ALL',
    `url=\${1:-${shellWord(options.endpoint)}}`,
    ...variables.map((name) => `: "\${${name}:?put the credential into this variable}"`),
    `dir=\${TMPDIR:-/tmp}/${options.id}.$$`,
    'mkdir "$dir" || exit 2',
    `trap 'rm -rf "$dir"' EXIT`,
    functions,
    ...rare,
    body,
    reportFunction(trace),
    'canary',
    'if no_answer 0; then',
    '  echo "no agent answers at $url: $(cat "$dir/0.error")"',
    '  exit 2',
    'fi',
    `tries=${triesOf(found)}`,
    // Not for ever, where each try takes long.
    'end=$(($(date +%s) + 60))',
    'while [ $tries -gt 0 ] && [ "$(date +%s)" -lt $end ]; do',
    '  steps',
    '  if shows; then',
    '    report',
    `    echo ${shellWord(`It shows: ${printable(found.symptom.title, 300)}`)}`,
    '    exit 0',
    '  fi',
    '  tries=$((tries - 1))',
    'done',
    'report',
    `echo ${shellWord(`It does not show. Look for: ${lookFor(signs)}.`)}`,
    'exit 1',
    '',
  ].join('\n');
}
