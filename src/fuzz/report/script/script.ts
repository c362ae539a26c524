import { withQuery } from '../../../client/index.js';
import { type Exchange, printable, shellWord } from '../../../wire/index.js';
import type { Step } from '../../case/case.js';
import type { Settled } from '../../confirm/settlement.js';
import type { Sent, Trace } from '../../execute/trace.js';
import { flat } from './pattern.js';
import { alone, among, baseOf, type Command, commandOf, type Spelling, streamed } from './request.js';
import { functions, rareFunctions } from './shell.js';
import { isDropped, isStreaming, lastAt, nameOf, type Sign, signsOf } from './signs.js';
import { type Picked, picksOf } from './slots.js';

export interface ScriptOptions extends Spelling {
  readonly id: string;
  /** How long the kit waits for an answer that is no stream, ms. */
  readonly timeoutMs: number;
  /** The broken sentences, one line each. */
  readonly sentences: readonly string[];
  readonly origin: string;
}

const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

/** A shell comment of one line, in printable characters. */
const comment = (text: string, limit = 400): string => `# ${printable(text, limit)}`;

/** How long the script waits for an answer, seconds. */
const secondsOf = (sent: Sent, isRaced: boolean, timeoutMs: number): number => {
  const { durationMs, failure } = sent.exchange;
  const seconds = durationMs / 1000;
  // Shrinking may leave a case that is answered just after the limit, and a busy kit keeps the limit too late.
  if (failure?.kind === 'timeout') {
    const limit = isStreaming(sent) ? seconds : Math.min(seconds, timeoutMs / 1000);
    return Math.min(30, Math.max(2, Math.floor(8 * limit) / 10));
  }
  // A stream without an end is dropped when the kit dropped it.
  if (isDropped(sent)) return Math.min(30, Math.max(1, Math.ceil(seconds)));
  // A race with another outcome may hang; it is run again.
  if (isRaced) return Math.min(30, Math.max(1, Math.ceil(2 * seconds)));
  // A bit longer than the kit waited.
  return Math.min(30, Math.max(5, Math.ceil(seconds) + 2));
};

/** Reads a task that does not exist: an agent that lives refuses it at once. */
function canary({ dialect, endpoint, callers }: ScriptOptions): Exchange {
  const { binding, operations } = dialect;
  const names = operations.get;
  const params = names.params.encode({ id: 'a2a-tck-no-such-task' });
  const form = binding.request({ operation: 'get', endpoint, names, params, id: 'canary' });
  if ('inexpressible' in form) throw new Error(form.inexpressible);
  const { method, url, contentType, body } = form;
  return {
    id: 'canary',
    purpose: 'canary',
    request: {
      method,
      url: withQuery(url, callers.query ?? []),
      headers: [
        ...(contentType === undefined ? [] : [['content-type', contentType] as const]),
        ...dialect.headers,
        ...callers.credentials,
      ],
      ...(body === undefined ? {} : { body }),
    },
    startedAt: 0,
    durationMs: 0,
  };
}

const check = (sign: Sign, { slots }: Picked, { dialect: { binding } }: ScriptOptions): string => {
  if (sign.kind === 'dead') return 'dead';
  if (sign.kind === 'reopened') {
    const slot = slots.find(({ value }) => value === sign.task);
    return `reopened ${slot === undefined ? shellWord(sign.task) : `"$${slot.variable}"`} ${sign.places.join(' ')}`;
  }
  const { place } = sign;
  switch (sign.kind) {
    case 'no-answer':
      return `no_answer ${place}`;
    case 'silent':
      return `silent ${place}`;
    case 'accepted':
      return binding.requests === 'envelopes' ? `has ${place} '"result"'` : `succeeds ${place}`;
    case 'differs':
      return `differs ${place} ${sign.from} ${sign.member}`;
    case 'unfinal':
      return `unfinal ${place}`;
    case 'nulled':
      return `nulled ${place}`;
    case 'several':
      return `several ${place} ${sign.member}`;
    case 'counts':
      return `counts ${place} ${sign.member} ${sign.least}`;
    case 'repeats':
      return `repeats ${place} ${sign.places.join(' ')}`;
    case 'misses':
      return `misses ${sign.places.join(' ')}`;
    case 'ended':
      return `ended ${place} ${sign.state}`;
    case 'lacks':
      return `lacks ${place} ${sign.texts.map(shellWord).join(' ')}`;
    case 'one-lacks':
      return `{ ${sign.each.map((one) => `lacks ${one.place} ${shellWord(one.text)}`).join(' || ')}; }`;
    case 'slow':
      return `slow ${place} ${sign.ms}`;
    case 'large':
      return `large ${place} ${sign.bytes}`;
    case 'polled':
      return `polled ${place} ${shellWord(sign.pattern)}`;
    case 'like':
      return `like ${place} ${sign.status} ${shellWord(sign.pattern)}`;
  }
};

const words: Readonly<Record<Sign['kind'], string>> = {
  dead: 'no answer to a harmless request afterwards',
  'no-answer': 'no answer',
  silent: 'silence, while others are answered, in place of an answer',
  accepted: 'a result',
  differs: 'another id than before in the answer',
  nulled: 'null for an id in the answer',
  several: 'several tasks in the answer',
  unfinal: 'no final status update at the end of the answer',
  counts: 'more than was asked for in the answer',
  repeats: 'a task that was shown before in the answer',
  misses: 'the end of a listing in which a task is missing, in the answer',
  ended: 'the state of a task that is shown in the answer',
  reopened: 'a task that is shown ended, and later in another state',
  lacks: 'something that is missing in the answer',
  'one-lacks': 'an answer without the id of its request among those that were sent at once',
  slow: 'an answer that takes long',
  large: 'an answer that is large',
  like: 'the answer that is shown',
  polled: 'one of the answers that are shown',
};

function lookFor(signs: readonly Sign[]): string {
  if (signs.length === 0) return 'the symptom above. A shell cannot recognize it: read the answers';
  const told = signs.map((sign) =>
    sign.kind === 'dead' || sign.kind === 'one-lacks' || sign.kind === 'reopened'
      ? words[sign.kind]
      : `${words[sign.kind]} to request ${sign.place}`,
  );
  return told.length > 3 ? `the answers to all ${told.length} requests as they are shown` : told.join(', and ');
}

interface Part {
  readonly text: string;
  readonly variables: readonly string[];
  /** Its requests must reach the agent while it is at work. */
  readonly isInHaste: boolean;
}

interface Line {
  readonly name: string;
  readonly sent: Sent;
  readonly seconds: number;
  readonly command: Command;
}

/** A step of the script: what is done before all steps, and what is done when it is its turn. */
interface Turn {
  readonly ahead: readonly string[];
  readonly lines: readonly string[];
}

/** The requests of one step, in order. */
function linesOf(trace: Trace, at: number, picked: Picked, options: ScriptOptions): readonly Line[] {
  return [...lastAt(trace).values()]
    .filter(({ place }) => place[0] === at)
    .map((sent) => ({
      name: nameOf(sent, trace),
      sent,
      seconds: secondsOf(sent, trace.case.steps[at]?.step === 'together', options.timeoutMs),
      command: commandOf(sent.exchange, picked.slots, options),
    }));
}

const about = ({ sent: { step, demand } }: Line): string =>
  comment(demand === 'valid' ? step.operation : `${step.operation}, ${demand}`);

const asked = ({ name, seconds, command }: Line): string => alone(command, name, seconds);

/**
 * The kit drops the stream before its end: the next request may only show the fault while the agent has not reached
 * that end.
 */
const isCut = ({ sent, command }: Line): boolean =>
  sent.step.events !== undefined && command.words !== undefined && isDropped(sent);

function askedOrHeard(line: Line): string {
  if (!isCut(line)) return asked(line);
  const { before, begun, dropped } = heard(line);
  return [...before, begun, dropped].join('\n');
}

/** The script waits longer than the kit for a next event that comes late; normally it closes the connection before. */
const heard = ({ name, sent, seconds, command }: Line) => streamed(command, name, seconds + 5, sent.step.events ?? 1);

/** One curl sends them all: several processes begin some milliseconds apart, in any order, too late for most races. */
function atOnce(lines: readonly Line[]) {
  const parts = lines.map((line) => ({ line, ...among(line.command, line.name, line.seconds) }));
  const sections = parts.map(({ section }) => `  ${section}`).join(' --next \\\n');
  const names = shellWord(lines.map(({ name }) => name).join(' '));
  const bodies = parts.map(({ line, before }) => ({
    name: line.name,
    texts: [about(line), before].filter((one) => one !== ''),
  }));
  return { bodies, command: `at_once ${names} \\\n${sections}` };
}

/** Begins the processes before all steps: the agent goes on with its work while a shell begins them. */
function readyBefore(lines: readonly Line[]): Turn {
  const cut = lines.find(isCut);
  if (cut !== undefined) {
    const { before, begun, dropped } = heard(cut);
    return { ahead: [`ready ${cut.name}`, begun], lines: [about(cut), ...before, dropped] };
  }
  const { bodies, command } = atOnce(lines);
  const [first] = lines;
  const at = first?.sent.place[0] ?? 0;
  const piped = lines.filter((line) => line.command.input.length > 0).map(({ name }) => name);
  const ready = `ready ${piped.join(' ')}`;
  const begun = [`${command} &`, `begun_${at}=$!`];
  const ended = `wait "$begun_${at}"`;
  if (lines.length < 2) return { ahead: [ready, ...begun], lines: [...bodies.flatMap(({ texts }) => texts), ended] };
  // curl opens one pipe after the other: with another order of writing, curl and the script would wait for each other.
  const written = bodies.map(({ name, texts }) => `${name})\n${indented([...texts, ';;'].join('\n'), '  ')}`);
  return {
    ahead: [ready, `order_${at}=$(in_turn ${lines.map(({ name }) => name).join(' ')})`, ...begun],
    lines: [
      `for name in $order_${at}; do`,
      '  case $name in',
      ...written.map((text) => indented(text, '  ')),
      '  esac',
      'done',
      ended,
    ],
  };
}

/** What the script does with the looks of a wait before the last one. */
interface Looking {
  /** They are kept, to be compared or read. */
  readonly isKept: boolean;
  /** The wait goes on for some looks after the task has settled. */
  readonly goesOn: boolean;
}

const lookingFor = (signs: readonly Sign[]): Looking => {
  const goesOn = signs.some(({ kind }) => kind === 'reopened');
  return { goesOn, isKept: goesOn || signs.length === 0 || signs.some(({ kind }) => kind === 'polled') };
};

function awaited(line: Line, { isKept, goesOn }: Looking): readonly string[] {
  const { name } = line;
  return [
    `# until the task has settled${goesOn ? ', and a bit longer' : ''}`,
    ...(isKept ? [`: >"$dir/${name}.polls"`] : []),
    goesOn ? 'n=0 still=0' : 'n=0',
    'while [ $n -lt 25 ]; do',
    indented(asked(line), '  '),
    ...(isKept ? [`  flat ${name} >>"$dir/${name}.polls"`] : []),
    ...(goesOn
      ? // Without a nap: an outdated copy mostly catches up soon.
        [`  settled ${name} && still=$((still + 1)) && [ $still -lt 4 ] && continue`, '  [ $still -lt 4 ] || break']
      : [`  settled ${name} && break`]),
    '  n=$((n + 1))',
    '  nap $n',
    'done',
  ];
}

const turnOf: Readonly<Record<Step['step'], (lines: readonly Line[], looking: Looking) => readonly string[]>> = {
  call: (lines) => lines.flatMap((line) => [about(line), askedOrHeard(line)]),
  together(lines) {
    if (lines.some(({ command }) => command.words === undefined))
      return ['# at once', ...lines.flatMap((line) => [about(line), `(\n${indented(asked(line), '  ')}\n) &`]), 'wait'];
    const { bodies, command } = atOnce(lines);
    return [...bodies.flatMap(({ texts }) => texts), command];
  },
  wait: (lines, looking) => lines.flatMap((line) => awaited(line, looking)),
};

const underWay = /"state"[ \t]*:[ \t]*"(task_state_)?(submitted|working)"/i;

/** Whether the step is about a task that was at work, and may have ended by the time that a curl begins. */
function isUrgent(lines: readonly Line[], before: readonly Line[]): boolean {
  const [last] = before;
  if (last === undefined || before.length > 1) return false;
  // Arguments are known when a curl begins; a body may come later.
  if (lines.some((line) => line.command.words === undefined || line.command.isLate)) return false;
  return (
    lines.some(({ command }) => command.input.some((one) => one.includes('"$'))) &&
    underWay.test(flat(last.sent.exchange.response?.body ?? new Uint8Array()))
  );
}

/** The requests of all steps, each begun in time. */
function stepsPart(trace: Trace, picked: Picked, looking: Looking, options: ScriptOptions): Part {
  const { steps } = trace.case;
  const all = steps.map((_, at) => linesOf(trace, at, picked, options));
  // A shell reads one stream at a time.
  const isOneStream = all.flat().filter(isCut).length <= 1;
  const turns = all.map((lines, at): Turn => {
    const kind = steps[at]?.step ?? 'call';
    const mayBeReady = kind !== 'wait' && (!lines.some(isCut) || (isOneStream && lines.length === 1));
    if (mayBeReady && isUrgent(lines, all[at - 1] ?? [])) return readyBefore(lines);
    return { ahead: [], lines: lines.length === 0 ? [] : turnOf[kind](lines, looking) };
  });
  const ahead = turns.flatMap((turn) => turn.ahead);
  const text = turns.flatMap(({ lines }, at) => [
    ...lines,
    ...(all[at] ?? []).flatMap(({ name }) => picked.picks(name)),
  ]);
  const variables = all.flat().flatMap(({ command }) => command.variables);
  return { text: [...ahead, ...text].join('\n'), variables, isInHaste: ahead.length > 0 };
}

/** Shows every answer, in order of the requests. */
const reportFunction = (trace: Trace, { isKept }: Looking): string =>
  [
    'report() {',
    `  for name in ${[...lastAt(trace).keys()].join(' ')}; do`,
    '    echo "--- request $name: HTTP $(told "$name" 1), $(told "$name" 2) s"',
    '    [ -s "$dir/$name.error" ] && cat "$dir/$name.error"',
    `    ${isKept ? '{ cat "$dir/$name.polls" 2>/dev/null || flat "$name"; }' : 'flat "$name"'} | tr -d '\\001-\\010\\013-\\037\\177' | awk '{ print substr($0, 1, 2000) }'`,
    '  done',
    '}',
  ].join('\n');

/**
 * A race is run in rounds until the fault shows; a fault that depends on time needs several tries, too, and a busy
 * agent needs a second one.
 */
const triesOf = ({ times, of, case: { steps } }: Settled, isTimed: boolean): number => {
  if (steps.some(({ step }) => step === 'together')) return 200;
  return times < of || isTimed ? 20 : 3;
};

/** A slow answer may be the fault of a busy machine once; a fault that showed each time must show twice. */
const mustShowTwice = ({ times, of, case: { steps } }: Settled, signs: readonly Sign[]): boolean =>
  times === of &&
  signs.some(({ kind }) => kind === 'silent' || kind === 'slow') &&
  steps.every(({ step }) => step !== 'together');

/** Runs the steps until the fault shows. */
const rounds = (found: Settled, signs: readonly Sign[], isTimed: boolean): readonly string[] => [
  `tries=\${A2A_TCK_TRIES:-${triesOf(found, isTimed)}}`,
  'round=0',
  // Ends after a minute, where each try takes long.
  'end=$(($(date +%s) + 60))',
  'while [ $round -lt "$tries" ] && [ "$(date +%s)" -lt $end ]; do',
  '  steps',
  ...(mustShowTwice(found, signs)
    ? ['  # Once may be the fault of a busy machine.', '  if shows && { steps; shows; }; then']
    : ['  if shows; then']),
  '    report',
  `    echo ${shellWord(`It shows: ${printable(found.symptom.title, 300)}`)}`,
  '    exit 0',
  '  fi',
  '  round=$((round + 1))',
  'done',
  'report',
  `echo ${shellWord(`It does not show. Look for: ${lookFor(signs)}.`)}`,
  'exit 1',
];

/** For symptoms that a shell cannot recognize: exit code 0 would accuse a right agent, 1 would acquit a faulty one. */
const ending = ['steps', 'report', 'echo "A shell cannot tell whether it shows: read the answers."', 'exit 3'];

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
 * it does, 1 it does not, 2 no agent answers, 3 a reader has to tell. Its first argument is another endpoint to send them to.
 */
export function scriptOf(found: Settled, options: ScriptOptions): string {
  const [first] = found.shown;
  if (first === undefined) return '';
  const { trace } = first;
  const signs = signsOf(found.symptom, found.shown, options.redact);
  const picked = picksOf(trace);
  const looking = lookingFor(signs);
  const sent = stepsPart(trace, picked, looking, options);
  const alive = commandOf(canary(options), [], options);
  const steps = indented(sent.text, '  ');
  const body = [
    `canary() {\n${indented(alone(alive, '0', 10), '  ')}\n}`,
    `steps() {\n${steps}\n}`,
    ...(signs.length === 0
      ? []
      : [`shows() {\n  ${signs.map((sign) => check(sign, picked, options)).join(' &&\n    ')}\n}`]),
  ].join('\n');
  const rare = neededBy(body);
  const variables = [...new Set([...alive.variables, ...sent.variables])];
  return [
    '#!/bin/sh',
    comment(`${options.id}: ${found.symptom.title}`),
    comment(found.symptom.detail),
    ...options.sentences.map((one) => comment(`Broken: ${one}`)),
    comment(`Look for: ${lookFor(signs)}.`),
    comment(options.origin),
    `# sh ${options.id}.sh [endpoint]; exit code ${signs.length === 0 ? '2: no agent answers, 3: read whether it shows' : '0: it shows, 1: it does not, 2: no agent answers'}.`,
    'set -u',
    'LC_ALL=C',
    'export LC_ALL',
    `url=\${1:-${shellWord(baseOf(options))}}`,
    ...(options.dialect.binding.requests === 'envelopes' ? [] : [`url=\${url%/}`]),
    ...variables.map((name) => `: "\${${name}:?put the credential into this variable}"`),
    `dir=\${TMPDIR:-/tmp}/${options.id}.$$`,
    'mkdir "$dir" || exit 2',
    `trap 'rm -rf "$dir"' EXIT`,
    functions,
    ...rare,
    body,
    reportFunction(trace, looking),
    'canary',
    'if no_answer 0; then',
    '  echo "no agent answers at $url: $(cat "$dir/0.error")"',
    '  exit 2',
    'fi',
    ...(signs.length === 0 ? ending : rounds(found, signs, sent.isInHaste || looking.goesOn)),
    '',
  ].join('\n');
}
