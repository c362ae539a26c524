import type { Dialect } from '../dialect/index.js';
import { type Card, isObject, unknownCard } from '../model/index.js';
import type { Carrier, Clock } from '../wire/index.js';
import { carry } from './carrier.js';
import { http } from './http.js';
import { rpc } from './rpc.js';
import { assemble, type Patch, type Seams, type World } from './seams.js';
import { spellingOf } from './spelling.js';
import { createStore } from './store.js';
import { work } from './work.js';

export interface AgentOptions {
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** Where the agent is reached, with or without a slash at the end: `http://127.0.0.1:8080/agents/a`. */
  readonly baseUrl: string;
  /** Later ones wrap earlier ones. */
  readonly patches?: readonly Patch[];
  /** Ids of tasks, contexts, messages and artifacts come from it. Default 1. */
  readonly seed?: number;
}

export interface Agent {
  readonly handle: Carrier;
  readonly world: World;
  readonly seams: Seams;
  /** What was thrown inside that is no refusal: defects of the agent itself or of a patch. Answered as -32603. */
  readonly crashes: readonly unknown[];
  /** Ends the work that still goes on, so that nothing keeps the process alive. */
  stop(): void;
}

/** The reference agent: strict, deterministic, without streaming, push notifications or credentials. */
export function createAgent({ dialect, clock, baseUrl, patches = [], seed = 1 }: AgentOptions): Agent {
  const spelling = spellingOf(dialect);
  const store = createStore(() => clock.now());
  const world: World = { dialect, spelling, clock, store, baseUrl: baseUrl.replace(/\/$/, '') };
  const crashes: unknown[] = [];
  const crashed = (cause: unknown) => void crashes.push(cause);
  let stop = (): void => {};
  const seams = assemble(
    (whole) => {
      const doing = work(world, whole, seed, crashed);
      stop = doing.stop;
      return { ...http(world, whole), ...rpc(world, whole, crashed), ...doing.seams, ...card(world, whole) };
    },
    world,
    patches,
  );
  const handle = carry(async (request) => {
    try {
      return await seams.serve(request);
    } catch (cause) {
      crashed(cause);
      return { status: 500, headers: [['content-type', 'text/plain']], body: 'Internal server error\n' };
    }
  });
  return { handle, world, seams, crashes, stop };
}

const mediaTypes = ['text/plain', 'application/json', 'image/png'];

function card({ baseUrl, dialect, spelling }: World, whole: Seams): Pick<Seams, 'card' | 'cardDocument'> {
  const plain: Card = {
    ...unknownCard,
    name: 'Reference Agent',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    interfaces: [{ url: `${baseUrl}${dialect.endpointPath || '/'}`, transport: 'JSONRPC' }],
    inputModes: mediaTypes,
    outputModes: mediaTypes,
    skills: [
      { id: 'echo', inputModes: [], outputModes: [] },
      { id: 'draw', inputModes: ['text/plain'], outputModes: ['image/png'] },
    ],
  };
  return {
    card: () => plain,
    cardDocument() {
      // Through JSON, so that members without a value are absent and patches may keep what they get.
      const document: unknown = JSON.parse(JSON.stringify(dialect.card.encode(whole.card() as never)));
      return isObject(document) ? spelling.card(document) : document;
    },
  };
}
