import { describe, expect, test } from 'vitest';
import { type Client, createClient, type LiveStream, type Outcome } from '../src/client/index.js';
import { type Dialect, dialects } from '../src/dialect/index.js';
import type { Message, SendReply, StreamEvent, Task } from '../src/model/index.js';
import { createAgent, memoryArchive, type Patch } from '../src/reference/index.js';
import { random, uuids } from '../src/run/index.js';
import { createTape, createWire, sleep, virtualClock } from '../src/wire/index.js';

// Law: whatever the spelling, the same scenario has the same history. Seen through the canonical client, agents of all
// dialects do the same, but for what a dialect does not have.

const baseUrl = 'http://agent.test';

interface Actor {
  readonly client: Client;
  readonly crashes: readonly unknown[];
  say(text: string, more?: Partial<Message>): Message;
  wait(ms: number): Promise<void>;
}

function actorOf(dialect: Dialect, patches: readonly Patch[] = []): Actor {
  const clock = virtualClock();
  const archive = memoryArchive();
  const agent = createAgent({ dialect, clock, baseUrl, patches, archive });
  const wire = createWire({
    carrier: agent.handle,
    clock,
    tape: createTape(),
    limits: { timeoutMs: 60_000, maxBytes: 1 << 20 },
  });
  const uuid = uuids(random(1));
  const endpoint = `${baseUrl}${dialect.endpointPath || '/'}`;
  const client = createClient({
    wire,
    clock,
    dialect,
    endpoint,
    credentials: [],
    readOnly: false,
    limitPatienceMs: 0,
    uuid,
  });
  return {
    client,
    crashes: agent.crashes,
    say: (text, more = {}) => ({ messageId: uuid(), role: 'user', parts: [{ kind: 'text', text }], ...more }),
    wait: (ms) => sleep(clock, ms),
  };
}

/** What every dialect says of a task: ids and times are the agent's own, and some do not show their artifacts' ids. */
function plain(task: Task): unknown {
  const { status, artifacts = [] } = task;
  return {
    state: status.state,
    says: status.message?.parts,
    by: status.message?.role,
    artifacts: artifacts.map(({ name, parts }) => ({ name, parts })),
    hasContext: task.contextId !== undefined && task.contextId !== '',
  };
}
/** The history up to the answer, which OpenClaw repeats there. */
const spoken = ({ history = [], status }: Task): unknown =>
  history
    .filter((message) => JSON.stringify(message.parts) !== JSON.stringify(status.message?.parts))
    .map(({ role, parts }) => ({ role, parts }));

function taskOf(outcome: Outcome<SendReply>): Task {
  if (outcome.kind !== 'result' || outcome.value.type !== 'task') throw new Error(`no task: ${outcome.kind}`);
  return outcome.value.task;
}
const shown = (outcome: Outcome<Task>): unknown => {
  if (outcome.kind === 'result') return plain(outcome.value);
  return outcome.kind === 'refusal' ? outcome.error : outcome.kind;
};

type Scenario = (actor: Actor) => Promise<unknown>;

const blocking = { blocking: true };
const scenarios: Readonly<Record<string, Scenario>> = {
  async 'a question and its answer'({ client, say }) {
    const task = taskOf(await client.call('send', { message: say('hello'), configuration: blocking }));
    const read = await client.call('get', { id: task.id, historyLength: 100 });
    return [plain(task), shown(read), read.kind === 'result' ? spoken(read.value) : read.kind];
  },
  async 'work that is watched and then canceled, twice'({ client, say, wait }) {
    const task = taskOf(await client.call('send', { message: say('tck-cancel'), configuration: { blocking: false } }));
    await wait(50);
    const watched = shown(await client.call('get', { id: task.id }));
    const canceled = shown(await client.call('cancel', { id: task.id }));
    return [watched, canceled, shown(await client.call('cancel', { id: task.id }))];
  },
  async 'a question back, and the conversation that follows'({ client, say }) {
    const first = taskOf(await client.call('send', { message: say('tck-input-required'), configuration: blocking }));
    const same = { taskId: first.id, ...(first.contextId === undefined ? {} : { contextId: first.contextId }) };
    const second = taskOf(await client.call('send', { message: say('Blue.', same), configuration: blocking }));
    const { contextId } = second;
    const more = contextId === undefined ? {} : { contextId, referenceTaskIds: [second.id] };
    const third = taskOf(await client.call('send', { message: say('And again.', more), configuration: blocking }));
    return [
      plain(first),
      plain(second),
      plain(third),
      second.id === first.id,
      third.id === first.id,
      third.contextId === contextId,
    ];
  },
  async 'files, links and data'({ client, say }) {
    const seen: unknown[] = [];
    for (const word of ['tck-artifact-file', 'tck-artifact-file-url', 'tck-artifact-data', 'tck-artifact-text']) {
      seen.push(plain(taskOf(await client.call('send', { message: say(word), configuration: blocking }))));
    }
    const parts: Message['parts'] = [
      { kind: 'text', text: 'hello' },
      { kind: 'data', data: { list: [1, 'two', null] } },
      { kind: 'file', bytes: 'aGk=', mediaType: 'text/plain' },
    ];
    const echoed = taskOf(await client.call('send', { message: { ...say(''), parts }, configuration: blocking }));
    return [...seen, plain(echoed), spoken(echoed)];
  },
  async 'failures and refusals'({ client, say }) {
    const failed = taskOf(await client.call('send', { message: say('tck-task-failure'), configuration: blocking }));
    const rejected = taskOf(await client.call('send', { message: say('tck-reject-task'), configuration: blocking }));
    const unknown = await client.call('get', { id: '00000000-0000-4000-8000-00000000ffff' });
    const late = await client.call('send', { message: say('more', { taskId: failed.id }) });
    const broken = await client.call('get', { id: 7 }, { invalid: true });
    const missing = await client.rpc({ jsonrpc: '2.0', id: 1, method: 'no/such-method' }, { invalid: true, id: 1 });
    const named = [unknown, late, broken, missing].map((item) => (item.kind === 'refusal' ? item.error : item.kind));
    // HTTP+JSON has paths in place of methods, and a path holds no number.
    const inRpc =
      client.dialect.binding.id === 'jsonrpc' ? named : [...named.slice(0, 2), 'InvalidParams', 'MethodNotFound'];
    return [plain(failed), plain(rejected), inRpc];
  },
};

const whole = async (id: string, dialect: Dialect): Promise<unknown> => {
  const actor = actorOf(dialect);
  const seen = await scenarios[id]?.(actor);
  expect(actor.crashes).toEqual([]);
  return seen;
};

describe.for(Object.keys(scenarios))('%s', (id) => {
  // Those whose callers sign have fewer objects, and tests of their own.
  // Over gRPC 0.3 has one status for several errors.
  const [first, ...others] = dialects.filter(({ id, signed }) => signed === undefined && id !== 'a2a-0.3-grpc');
  test.for(others)(`is the same in $id as in ${first?.id}`, async (dialect) => {
    if (first === undefined) throw new Error('there are no dialects');
    expect(await whole(id, dialect)).toEqual(await whole(id, first));
  });
});

/** Events as all dialects have them: flags that some leave out, and states that say nothing new, do not count. */
function eventOf(event: StreamEvent | undefined): unknown {
  switch (event?.type) {
    case 'task':
      return { task: event.task.status.state };
    case 'status':
      return { status: event.status.state, says: event.status.message?.parts };
    case 'artifact':
      return { artifact: event.artifact.name, parts: event.artifact.parts };
    default:
      return event?.type;
  }
}

describe('a streamed answer', () => {
  const streamers = dialects.filter(({ operations }) => operations.stream !== undefined);
  const streaming: Patch = (inner) => ({
    card() {
      const card = inner.card();
      return { ...card, capabilities: { ...card.capabilities, streaming: true } };
    },
  });
  const watch = async (dialect: Dialect): Promise<unknown> => {
    const { client, say, crashes } = actorOf(dialect, [streaming]);
    const stream = (await client.open('stream', { message: say('tck-stream-basic') })) as LiveStream;
    expect(stream.kind).toBe('stream');
    const items = await stream.collect();
    expect(crashes).toEqual([]);
    return items.map((item) => eventOf(item.event));
  };
  const [first, ...others] = streamers;
  test.for(others)(`is the same in $id as in ${first?.id}`, async (dialect) => {
    if (first === undefined) throw new Error('no dialect streams');
    expect(await watch(dialect)).toEqual(await watch(first));
  });
});
