import {
  answered,
  brokenPatterns,
  check,
  describe,
  type Exchange,
  inconclusive,
  internalDisclosure,
  type Judgement,
  law,
  mayBeReset,
  type Outcome,
  type Scene,
  set,
  source,
} from '../../src/kit/index.js';
import { answeredInTime, ask, plainCall, sameAs, telling } from './calls.js';
import { isJudged, responsesIn } from './responses.js';

// A2A 0.3 §10.2 Security Considerations Summary: input validation and resource management.

/** Asks twice if necessary, so that one slow answer does not look like an agent that hangs. */
async function stillThere(scene: Scene): Promise<Outcome<unknown>> {
  const outcome = await ask(scene);
  return outcome.kind === 'invalid-response' && outcome.fault === 'timeout' ? ask(scene) : outcome;
}

/** The plain call was answered before, so a timeout now is a fault, not slowness. */
const asBefore = (plain: Outcome<unknown>, after: Outcome<unknown>): Judgement => {
  const same = sameAs(plain, after);
  return after.kind === 'invalid-response' && after.fault === 'timeout' && plain.kind !== 'invalid-response'
    ? describe(after)
    : same;
};

// In our words (1.0, 13.4 General Security Best Practices): All input is validated before processing.
export const malformedAnswered = law(
  'rpc/malformed-answered',
  'sec.bad-input',
  'answer malformed requests: no hang, no lost connection, no error page',
  {
    subject: 'the agent',
    otherwise: 'the kit sent no malformed request',
    advice: 'Catch what the validation throws, and answer with a JSON-RPC error.',
  },
  (reading, target) => {
    const { exchange, operation, outcome, valid } = reading;
    const { request, response, failure } = exchange;
    // For bytes that are not HTTP, and for bodies that are too large (RFC 9110 §15.5.14), the server may close the
    // connection; for calls of gRPC with wrong frames, and at their deadline, it may reset the stream (AMB10-49).
    const isRaw = request.method === 'RAW' || mayBeReset(exchange);
    const free = isRaw || (request.body?.length ?? 0) > 256 * 1024 || request.cut === true;
    if (!isJudged(reading, target) || valid || free) return 'not-concerned';
    if (outcome.kind !== 'invalid-response') return outcome.kind === 'not-sent' ? 'not-concerned' : 'holds';
    if (failure?.kind === 'refused') return inconclusive('the agent no longer answered before the request');
    // A lenient agent may have started to work on it.
    const mayWork = operation === 'send' || operation === 'stream' || operation === 'subscribe';
    if (outcome.fault === 'timeout' && mayWork) return inconclusive('raise --timeout: no answer came in time');
    if (outcome.fault === 'timeout' || outcome.fault === 'no-answer') return describe(outcome);
    if (response?.status === 503)
      return inconclusive('run again when the agent is less busy: it answered with HTTP 503');
    const page = (response?.status ?? 0) >= 500 && responsesIn(exchange).length === 0;
    return page ? describe(outcome) : 'holds';
  },
);

// In our words (1.0, 13.4 General Security Best Practices): Input is validated before it is processed: no refusal of a
//   malformed request shows that code broke over it.
export const validatedFirst = law(
  'rpc/validated-first',
  'sec.validated-first',
  'refuse malformed requests without a stack trace or an exception text',
  {
    subject: 'the agent',
    otherwise: 'the agent refused no malformed request',
    advice: 'Check the shape of the whole request before any code reads it. Log what is thrown, and do not send it.',
  },
  (reading, target) => {
    const { exchange, outcome, valid } = reading;
    const isRefused = outcome.kind === 'refusal' || (outcome.kind === 'invalid-response' && exchange.response);
    if (!isJudged(reading, target) || valid || !isRefused) return 'not-concerned';
    return internalDisclosure(exchange, brokenPatterns) ?? 'holds';
  },
).mutants(
  set('error.message', (old: unknown) => `${old}\n    at validate (/srv/agent/params.js:12:7)`),
  set('grpc-message', (old: unknown) => `${old}\n    at validate (/srv/agent/params.js:12:7)`),
);

/** One request of a series that grows: its size, and its outcome. */
interface Rung {
  /** Reads after "with": "metadata nested 60 deep". */
  readonly about: string;
  readonly outcome: Outcome<unknown>;
  /** For the report: the exchange with this request. */
  readonly exhibit?: Exchange;
}

const wasSent = ({ outcome }: Rung): boolean => outcome.kind !== 'not-sent';
const isBroken = (outcome: Outcome<unknown>): boolean => typeof answered(outcome) === 'string';

/**
 * Sends sizes from harmless to huge: limits usually lie at round numbers, and sizes below them are not tried. Stops at
 * the first failure. Where many requests may be sent at once, returns the most telling one.
 */
async function climb(
  scene: Scene,
  rungs: readonly (readonly [about: string, send: () => Promise<Outcome<unknown>>])[],
): Promise<Rung | undefined> {
  const sends = rungs.map(([about, send]) => async (): Promise<Rung> => {
    const outcome = await send();
    return { about, outcome, ...(outcome.kind === 'not-sent' ? {} : { exhibit: outcome.exchange }) };
  });
  if (scene.takesMany()) {
    const all = await Promise.all(sends.map((send) => send()));
    return all.find(({ outcome }) => isBroken(outcome)) ?? all.findLast(wasSent) ?? all.at(-1);
  }
  let last: Rung | undefined;
  for (const send of sends) {
    const rung = await send();
    if (isBroken(rung.outcome)) return rung;
    // Some have no form in the binding.
    if (last === undefined || wasSent(rung) || !wasSent(last)) last = rung;
  }
  return last;
}

/** Judges the answer; a failure names the size. */
function eachAnswered(rung: Rung | undefined): Judgement {
  if (rung === undefined) return inconclusive('the kit sent nothing');
  const judgement = answered(rung.outcome);
  return typeof judgement === 'string' ? `with ${rung.about}: ${judgement}` : judgement;
}

/** Alternates objects and arrays. */
function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { nested: value } : [value];
  return value;
}

/**
 * A message to a task that does not exist: an agent that looks the task up refuses the message before it costs
 * anything.
 */
const sendToNobody = (scene: Scene, message: object): Promise<Outcome<unknown>> =>
  scene.client.call(
    'send',
    { message: { ...scene.say(), ...message, taskId: scene.uuid() }, configuration: { blocking: false } },
    { invalid: true },
  );

// In our words (1.0, 13.4 General Security Best Practices): All input is validated before processing.
export const deepNesting = check('rpc/deep-nesting', 'sec.bad-input')
  .given('plain', plainCall)
  .last()
  .when('the client nests metadata 30, 60, 100 and 300 deep', (scene) => {
    const { client, uuid } = scene;
    const invalid = { invalid: true } as const;
    return climb(scene, [
      ...[30, 60, 100, 300].map(
        (depth) =>
          [
            `metadata nested ${depth} deep`,
            () => client.call('get', { id: uuid(), metadata: { nested: nested(depth - 1) } }, invalid),
          ] as const,
      ),
      ...[60, 300].map(
        (depth) =>
          [
            `metadata of a message nested ${depth} deep`,
            () => sendToNobody(scene, { metadata: { nested: nested(depth - 1) } }),
          ] as const,
      ),
    ]);
  })
  .expects('answer or refuse each', eachAnswered)
  .advice('Refuse what is too deep with -32600 or -32602: a parser that gives up must not take the answer with it.');

// In our words (1.0, 13.4 General Security Best Practices): All input is validated before processing.
export const wideInput = check('rpc/wide-input', 'sec.bad-input')
  .given('plain', plainCall)
  .last()
  .when('the client sends metadata of 100 and 5000 members, and messages of 50 and 1000 parts', (scene) => {
    const { client, uuid } = scene;
    const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`member${at}`, at]));
    const [part] = scene.say('one of many').parts;
    return climb(scene, [
      ...[100, 5000].map(
        (count) =>
          [
            `metadata of ${count} members`,
            () => client.call('get', { id: uuid(), metadata: wide(count) }, { invalid: true }),
          ] as const,
      ),
      ...[50, 1000].map(
        (count) =>
          [
            `a message of ${count} parts`,
            () => sendToNobody(scene, { parts: Array.from({ length: count }, () => part) }),
          ] as const,
      ),
    ]);
  })
  .expects('answer or refuse each', eachAnswered)
  .advice('Refuse what is too much with -32602; an unhandled limit of a library leaves the caller without an answer.');

/** Harmless to an agent that validates its input: ids that do not exist, and params of the wrong shape. */
const oddCalls = source('odd calls', async (scene: Scene) => {
  await scene.use(plainCall);
  const { client, uuid } = scene;
  const invalid = { invalid: true } as const;
  type Send = () => Promise<Outcome<unknown>>;
  const [first, ...others]: readonly [Send, ...Send[]] = [
    () => client.call('get', { id: 'x'.repeat(64 * 1024) }, invalid),
    () => client.call('get', { id: { $ne: null } }, invalid),
    () => client.call('cancel', { id: `\u0000\u202e\ud800 ../../'";--%00{{7*7}} ${uuid()}` }),
    () => client.call('cancel', { id: `\u0000\u202e ../../";--%00{{7*7}} ${uuid()}` }),
    () => client.call('get', { id: uuid() }, { ...invalid, envelope: polluted }),
    () => client.call('send', { message: 'Hello' }, invalid),
    () => client.call('send', { message: { ...scene.say(), parts: { kind: 'text' } } }, invalid),
    () => client.call('send', { message: { ...scene.say(), parts: [null] } }, invalid),
    // JSON-RPC 2.0 §4: an id is a string, a number or null. An agent may answer such a call (AMB03-34, AMB10-39), but
    // must not break.
    () => ask(scene, { ...invalid, id: { a: 1 } }),
    () => ask(scene, { ...invalid, id: [1] }),
    () => ask(scene, { ...invalid, id: true }),
    () => ask(scene, { ...invalid, id: 1.5 }),
  ];
  // Some have no form in the binding: a path holds no number.
  const sent = (
    all: readonly [Outcome<unknown>, ...Outcome<unknown>[]],
  ): readonly [Outcome<unknown>, ...Outcome<unknown>[]] => {
    const [first, ...rest] = all.filter(({ kind }) => kind !== 'not-sent');
    return first === undefined ? all : [first, ...rest];
  };
  if (scene.takesMany()) return sent(await Promise.all([first(), ...others.map((send) => send())]));
  const seen: [Outcome<unknown>, ...Outcome<unknown>[]] = [await first()];
  for (const send of others) seen.push(await send());
  return sent(seen);
});

/** `__proto__` as an own member, as JSON.parse makes it. */
const polluted = (request: Record<string, unknown>): unknown => ({
  ...request,
  params: JSON.parse('{"id":"none","__proto__":{"kind":"task"},"constructor":{"prototype":{"id":1}}}'),
});

// In our words (1.0, 13.4 General Security Best Practices): All input is validated before processing.
export const badInput = check('rpc/bad-input', 'sec.bad-input')
  .last()
  .when('the client sends params of odd types, lengths and characters', async ({ use }) =>
    telling(await use(oddCalls), answered),
  )
  .expects('answer or refuse each', answered)
  .advice(
    'Check type, length and characters of each param before you use it, and answer with an error (-32602, 400, INVALID_ARGUMENT).',
  );

/** An agent owes no answer to bytes that are not HTTP: the next call shows whether it is alive. */
const rawMs = 2000;

// In our words (1.0, 13.4 General Security Best Practices): All input is validated before processing.
export const survives = check('rpc/survives-bad-input', 'sec.bad-input')
  .given('plain', plainCall)
  .last()
  .when('the client makes a plain call after malformed ones', async (scene) => {
    await scene.use(oddCalls);
    // Not HTTP at all. Has an effect only over sockets: a wire in memory has no HTTP to break.
    await scene.client.raw(new TextEncoder().encode('NONSENSE\r\n\r\n'), undefined, rawMs);
    return stillThere(scene);
  })
  .expects('answer it as before', (after, { plain }) => asBefore(plain, after))
  .advice('One request must not end the process, nor the loop that reads the next ones.');

/**
 * A server that refuses a large body unread may close before it was fully sent, and then the answer is lost (RFC 9110
 * §15.5.14).
 */
function mayBeUnread(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'invalid-response' || outcome.exchange.failure?.kind !== 'reset') return false;
  const { body, cut } = outcome.exchange.request;
  return cut === true || (body?.length ?? 0) > 128 * 1024;
}

// In our words (1.0, 13.4 General Security Best Practices): Message and file sizes are limited with a clean refusal.
export const oversized = check('rpc/oversized', 'sec.oversized')
  .given('plain', plainCall)
  .last()
  .when('the client sends texts of 32 KiB, 256 KiB and 1.5 MiB', async (scene) => {
    const words = 'All work and no play. ';
    const rung = await climb(
      scene,
      (
        [
          ['a text of 32 KiB', 1_490],
          ['a text of 256 KiB', 11_916],
          ['a text of 1.5 MiB', 71_500],
        ] as const
      ).map(([about, times]) => [about, () => sendToNobody(scene, scene.say(words.repeat(times)))] as const),
    );
    const outcome = rung?.outcome;
    const after = outcome === undefined || outcome.kind === 'not-sent' ? outcome : await stillThere(scene);
    return { ...rung, after };
  })
  .expects('answer or refuse each', ({ about, outcome }) => {
    if (outcome === undefined) return inconclusive('the kit sent nothing');
    if (mayBeUnread(outcome))
      return inconclusive(`the agent closed the connection before its answer: ${describe(outcome)}`);
    const judgement = answeredInTime(outcome);
    return typeof judgement === 'string' ? `with ${about}: ${judgement}` : judgement;
  })
  .expects('answer the next call', ({ after }, { plain }) =>
    after === undefined ? inconclusive('the kit sent nothing') : asBefore(plain, after),
  )
  .advice(
    'Set a limit for the size of bodies, and answer 413 or an error above it. Count it as bytes come, and keep the server open.',
  );
