import { randomBytes } from 'node:crypto';
import { surroundings } from '../../packs/index.js';
import type { Dialect } from '../dialect/index.js';
import type { ClientReport, ClientRun, Delivery, Inspector } from '../kit/index.js';
import { createAgent, type Patch, serveAgent } from '../reference/index.js';
import { createHttpCarrier } from '../wire/http.js';
import { type Carrier, CarrierFailure, type Redactor, realClock, shortExchange } from '../wire/index.js';
import { type Ended, isObjectLine, type StartClient } from './client-process.js';
import { readCall } from './read-call.js';
import { createRecorder, type Room } from './recorder.js';
import { errandOf, expectedOf, isDoable, type Scenario, type Stage, usualLimitMs } from './scenario.js';
import { keptFor } from './scenarios/plots.js';
import { asAsked, maySpell, type Spellings } from './spelling.js';
import { readTold, unsupportedIn } from './told.js';

/** A server of a scenario. */
export interface Port {
  /** Without a slash at the end. */
  readonly url: string;
  /** What answers there, once it is known. */
  mount(carrier: Carrier): void;
  close(): Promise<void>;
}
/** Opens a server of a scenario. */
export type OpenPort = (scenario: Scenario['id'], at: 'agent' | 'elsewhere') => Promise<Port>;

/** A free port of loopback for each server. */
export const ownPort: OpenPort = async () => {
  let mounted: Carrier | undefined;
  const served = await serveAgent(() => (request, signal) => {
    if (mounted === undefined) return Promise.reject(new CarrierFailure('reset', 'the scenario is not set up yet'));
    return mounted(request, signal);
  });
  return {
    url: served.url,
    mount: (carrier) => {
      mounted = carrier;
    },
    close: served.close,
  };
};

/** What is the same for all scenarios of a run. */
export interface Playing {
  readonly dialect: Dialect;
  readonly inspector: Inspector;
  /** Ids of exchanges, unique in the run. */
  readonly nextId: () => string;
  readonly signal: AbortSignal;
  /** Factor of the time limits of the scenarios. */
  readonly patience?: number;
  /** Default: `ownPort`. */
  readonly open?: OpenPort;
  /** Whether a client has hung before its first request: the others are waited for less long. */
  readonly mute?: { isKnown: boolean };
  /** How clients spell, where they may choose. */
  readonly spellings: Spellings;
  /** What all scenarios may hold together. */
  readonly room: Room;
  /** Hides secrets in what clients print. */
  readonly redactor: Redactor;
  /** Clients come by themselves: they may play a scenario more than once. */
  readonly isServed?: true;
}

/** What an agent of a scenario keeps, whatever clients send to it. */
const mostStored = { tasks: 1000, size: 8 << 20 };

/**
 * Nothing listens there: the system hands out no port below 1024, and no service has this one. A port that was open and is
 * closed again may be the next scenario's.
 */
const deadUrl = 'http://127.0.0.1:2';

/** Longest wait for the answer of a webhook of the client, ms. */
const webhookMs = 5000;
/** Most bytes of it that are kept. */
const mostAnswer = 64 * 1024;
/** Characters of the error output that are kept, and those before them that are read. */
const mostWords = 2000;
const mostRead = 64 * 1024;
/** The last lines of the output, which stand for the error output where that is empty. */
const mostLines = 100;

/** The end of what a client wrote. Secrets are hidden before the beginning is cut off: nothing shows later that a piece of one stands there. */
function lastWords({ errors, lines }: Ended, redactor: Redactor): string {
  const whole = errors.trim() || lines.slice(-mostLines).join('\n');
  const end = whole.length <= mostRead ? whole : whole.slice(-mostRead).replace(/^\S+/, '');
  // A copy: a slice would keep the whole text in memory.
  return Buffer.from(redactor.text(end).slice(-mostWords)).toString();
}

/** Signed calls of one account in a minute: no scenario is about the limit. */
const mostSigned = 600;

/** A scenario on its ports, before a client comes. */
export interface Staged {
  readonly scenario: Scenario;
  readonly stage: Stage;
  /** Resolves with the first request of a client. */
  readonly called: Promise<void>;
  /** What was seen so far. */
  run(ended: Ended | undefined): ClientRun;
  close(): Promise<void>;
}

/**
 * A defect that one check is about must not keep a client from the rest: other checks would say nothing of it. All texts
 * of HTTP+JSON have application/json (AMB10-07).
 */
const forgiving: Patch = () => ({ negotiate: () => undefined, httpType: () => 'application/json' });

/** Published clients of gRPC take the address of an interface as host and port. */
const plainAddresses: Patch = (inner) => ({
  card() {
    const card = inner.card();
    const interfaces = card.interfaces.map((item) => {
      const isUrl = item.transport === 'GRPC' && item.url.startsWith('http://');
      return isUrl ? { ...item, url: new URL(item.url).host } : item;
    });
    return { ...card, interfaces };
  },
});

/** What is the same for the agents of every scenario; `own`: what this scenario makes of it. */
const patchesOf = (own: Patch | undefined, { dialect, spellings, isServed }: Playing): readonly Patch[] => [
  forgiving,
  // Each play of a client that comes by itself begins with a request for the card.
  ...(isServed === true ? [keptFor(0)] : []),
  ...(own === undefined ? [] : [own]),
  ...(maySpell(dialect) ? [asAsked(spellings)] : []),
  plainAddresses,
];

/** Puts the servers of a scenario on free ports of loopback. */
export async function setStage(scenario: Scenario, playing: Playing): Promise<Staged> {
  const { dialect, inspector, nextId, redactor, isServed } = playing;
  const clock = realClock;
  const recorder = createRecorder(nextId, () => clock.now(), playing.room);
  const facts: Record<string, string> = {};
  const deliveries: Delivery[] = [];
  const outbound = createHttpCarrier({ connectTimeoutMs: 2000 });
  const around = await surroundings(dialect, clock, { rate: mostSigned });
  const stops: (() => void)[] = [];

  const { open = ownPort } = playing;
  const ports = { agent: await open(scenario.id, 'agent'), elsewhere: await open(scenario.id, 'elsewhere') };
  const stage: Stage = {
    places: {
      agent: ports.agent.url,
      elsewhere: ports.elsewhere.url,
      aside: dialect.binding.hasOwnPort === true ? ports.elsewhere.url : ports.agent.url,
      dead: deadUrl,
    },
    clock,
    word: crypto.randomUUID().slice(0, 8),
    key: randomBytes(32).toString('hex'),
    account: around?.account,
    outbound,
    note: (name, value) => {
      facts[name] = value;
    },
    async deliver(name, request) {
      const startedAt = clock.now();
      const id = nextId();
      let response: Delivery['exchange']['response'];
      let failure: Delivery['exchange']['failure'];
      try {
        const { status, headers, body } = await outbound(request, AbortSignal.timeout(webhookMs));
        const chunks: Uint8Array[] = [];
        let size = 0;
        for await (const chunk of body) {
          size += chunk.length;
          if (size > mostAnswer) break;
          chunks.push(chunk);
        }
        response = { status, headers, body: new Uint8Array(Buffer.concat(chunks)), chunks: [] };
      } catch (cause) {
        failure = { kind: 'reset', detail: cause instanceof Error ? cause.message : String(cause) };
      }
      const exchange = shortExchange({
        id,
        purpose: `webhook of the client: ${name}`,
        request,
        ...(response === undefined ? {} : { response }),
        ...(failure === undefined ? {} : { failure }),
        startedAt,
        durationMs: Math.round(clock.now() - startedAt),
      });
      const size = (exchange.request.body?.length ?? 0) + (exchange.response?.body.length ?? 0);
      if (recorder.admit(size)) deliveries.push({ name, status: response?.status, exchange });
    },
  };
  const build = (baseUrl: string, patches: readonly Patch[]): ReturnType<typeof createAgent> => {
    const agent = createAgent({
      dialect,
      clock,
      baseUrl,
      patches,
      outbound,
      ...(around === undefined ? {} : { part: around.part }),
      webhookHosts: () => true,
      most: mostStored,
    });
    stops.push(agent.stop);
    return agent;
  };
  // A client may ask for a verdict again and again, and the kit holds once what the client said.
  const understood = new WeakMap<Ended, ClientReport | undefined>();
  const toldBy = (ended: Ended, line: string): ClientReport | undefined => {
    if (understood.has(ended)) return understood.get(ended);
    const read = readTold(line, dialect);
    const report = read !== undefined && recorder.admit(JSON.stringify(read).length) ? read : undefined;
    understood.set(ended, report);
    return report;
  };
  const agent = build(ports.agent.url, patchesOf(scenario.patch?.(stage), playing));
  ports.agent.mount(recorder.over('agent', agent.handle));
  const other =
    scenario.isOneAgent === true ? agent : build(ports.elsewhere.url, patchesOf(scenario.elsewhere?.(stage), playing));
  ports.elsewhere.mount(recorder.over('elsewhere', other.handle));
  return {
    scenario,
    stage,
    called: recorder.called,
    run(ended) {
      const line = ended?.lines.findLast(isObjectLine);
      const why = line === undefined ? undefined : unsupportedIn(line);
      const expected = expectedOf(scenario, stage);
      const report = ended === undefined || line === undefined ? undefined : toldBy(ended, line);
      return {
        scenario: scenario.id,
        about: scenario.about,
        errand: errandOf(scenario, stage),
        expected,
        isDoable: isDoable(scenario, expected),
        calls: recorder.recorded().map((item) => readCall(item, dialect, inspector)),
        deliveries: [...deliveries],
        ending: why === undefined ? (ended?.ending ?? { kind: 'served' }) : { kind: 'unsupported', why },
        told: report,
        words: ended === undefined ? '' : lastWords(ended, redactor),
        facts: { ...facts },
        base: new URL(ports.agent.url).pathname.replace(/\/$/, ''),
        leftOut: recorder.leftOut(),
        leftRunning: ended?.leftRunning,
        note: ended?.note === undefined ? undefined : redactor.text(ended.note),
        ...(isServed === true ? { isServed } : {}),
      };
    },
    async close() {
      for (const stop of stops) stop();
      await Promise.all([ports.agent.close(), ports.elsewhere.close(), outbound.close()]);
    },
  };
}

/** What the environment of a client says of a scenario. */
export const environmentFor = (scenario: Scenario, stage: Stage, dialect: Dialect): Record<string, string> => ({
  A2A_SCENARIO: scenario.id,
  A2A_PROTOCOL_VERSION: versionOf(dialect),
  A2A_BINDING: dialect.binding.transport,
  A2A_CONTEXT: JSON.stringify(errandOf(scenario, stage)),
});

/** "1.0" of "a2a-1.0-grpc". */
export const versionOf = ({ version }: Dialect): string => version.replace(/^a2a-/, '');

/** A client may take so many times its limit until its first request: many programs load for long. */
const startFactor = 3;

/** Plays one scenario with a client. Rejects only where the client cannot be started at all. */
export async function play(scenario: Scenario, start: StartClient, playing: Playing): Promise<ClientRun> {
  const staged = await setStage(scenario, playing);
  try {
    const limitMs = (scenario.limitMs ?? usualLimitMs) * (playing.patience ?? 1);
    const ended = await start({
      url: staged.stage.places.agent,
      env: environmentFor(scenario, staged.stage, playing.dialect),
      limitMs,
      startMs: (playing.mute?.isKnown === true ? 1 : startFactor) * limitMs,
      called: staged.called,
      signal: playing.signal,
    });
    const run = staged.run(ended);
    if (playing.mute !== undefined) playing.mute.isKnown ||= run.ending.kind === 'hung' && run.calls.length === 0;
    return run;
  } finally {
    await staged.close();
  }
}
