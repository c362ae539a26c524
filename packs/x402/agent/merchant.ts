import type { Card, Message, Task } from '../../../src/model/index.js';
import {
  type Command,
  type Incoming,
  type Patch,
  type RpcCall,
  RpcFailure,
  together,
  type Upstream,
  type World,
} from '../../../src/reference/patching.js';
import { type Header, header } from '../../../src/wire/index.js';
import { headerEntries, isX402Extension } from '../payments/index.js';
import { onSeller, selling, withX402, type X402Whole } from './patches.js';
import type { MerchantSettings } from './settings.js';
import { isExtensionHeader, x402 } from './x402.js';

/** An agent that charges for some of its skills. `facilitator`: what verifies and settles payments; without it no client can pay. */
export const merchant = (settings: Partial<MerchantSettings> = {}, facilitator?: Upstream): Patch =>
  together(
    (inner, world, whole) => ({ parts: { ...inner.parts, x402: x402(world, withX402(whole), facilitator) } }),
    selling(settings),
    declared,
    activation,
    charging,
  );

const declared = onSeller((inner, _, whole) => ({
  card(): Card {
    const card = inner.card();
    const { uris, required, skills } = whole.x402.settings();
    const { extensions } = card.capabilities;
    const paid = uris.map((uri) => ({ uri, required }));
    return {
      ...card,
      capabilities: { ...card.capabilities, extensions: [...extensions, ...paid] },
      skills: [...card.skills, ...skills.map(({ id }) => ({ id, inputModes: [], outputModes: [] }))],
    };
  },
}));

/** The extension is asked for by either name of the header, and named in answers under the same one. */
const activation = onSeller((inner, { dialect }, whole) => ({
  activated(request) {
    const others = inner.activated(request).filter((uri) => !isX402Extension(uri));
    if (!whole.x402.isActive(request) || !whole.x402.settings().echo) return others;
    return [...others, ...whole.x402.settings().uris.filter((uri) => askedFor(request).includes(uri))];
  },
  demandExtensions(call, op) {
    // One of several versions of it is enough.
    const active = whole.x402.isActive(call.request);
    const others = whole.card().capabilities.extensions.filter(({ uri }) => !isX402Extension(uri));
    if (!active && whole.x402.settings().required) throw inactive(whole);
    const asked = whole.activated(call.request);
    const missing = others.find(({ uri, required }) => required && !asked.includes(uri));
    if (missing !== undefined) inner.demandExtensions(call, op);
  },
  async serve(request) {
    const reply = await inner.serve(request);
    const names = request.headers.map(([name]) => name).filter(isExtensionHeader);
    const own = names.some((name) => name.toLowerCase() === dialect.extensionHeader.toLowerCase());
    const asked = own ? undefined : names[0];
    if (asked === undefined || header(reply.headers, dialect.extensionHeader) === undefined) return reply;
    const renamed = reply.headers.map(([name, value]): Header => [isExtensionHeader(name) ? asked : name, value]);
    return { ...reply, headers: renamed };
  },
}));

const askedFor = ({ headers }: Incoming): readonly string[] =>
  headers.flatMap(([name, value]) => (isExtensionHeader(name) ? headerEntries(value) : []));

const inactive = (whole: X402Whole): RpcFailure =>
  new RpcFailure('ExtensionSupportRequired', whole.x402.settings().uris.join(', '));

const charging = onSeller((inner, world, whole) => ({
  async execute(command, call) {
    admit(command, call, world, whole);
    return inner.execute(command, call);
  },
  async stream(command, call) {
    admit(command, call, world, whole);
    return inner.stream(command, call);
  },
  refusal(command, task) {
    const found = inner.refusal(command, task);
    const account = whole.x402.account(task);
    if (found !== undefined || account === undefined || account.underWay === 'no') return found;
    if (command.op === 'cancel') {
      return account.underWay === 'settling' ? new RpcFailure('TaskNotCancelable', 'it is being paid') : undefined;
    }
    if (command.op !== 'send' && command.op !== 'stream') return undefined;
    const { message } = command.params;
    return whole.x402.intent(message) === 'pay' ? whole.x402.meanwhile(account, message) : undefined;
  },
  script(message, waiting) {
    const known = waiting ?? unfinished(message, world);
    const account = known && whole.x402.account(known);
    if (account !== undefined) {
      if (waiting === undefined) return whole.x402.resumed(account);
      whole.x402.answer(account, message);
      return { reply: 'task', steps: [] };
    }
    if (waiting !== undefined || whole.x402.skill(message) === undefined) return inner.script(message, waiting);
    return { reply: 'task', steps: [{ afterMs: 5, act: { type: 'status', state: 'input-required' } }] };
  },
  stamp(act, task) {
    const event = inner.stamp(act, task);
    const account = event.type === 'status' ? whole.x402.account(task) : undefined;
    if (event.type !== 'status' || account === undefined) return event;
    const { state, message } = event.status;
    const metadata = whole.x402.metadata(account, state);
    if (metadata === undefined) return event;
    const said: Message = message ?? {
      messageId: whole.id('message'),
      role: 'agent',
      parts: [{ kind: 'text', text: whole.x402.words(account, state) }],
      taskId: task.id,
      ...(task.contextId === undefined ? {} : { contextId: task.contextId }),
    };
    return { ...event, status: { ...event.status, message: { ...said, metadata: { ...metadata } } } };
  },
}));

/** The task that a message names, stored before a restart of the agent; a message that begins a task names none. */
const unfinished = ({ taskId }: Message, { store }: World): Task | undefined =>
  taskId === undefined ? undefined : store.get(taskId);

/** Throws for messages about payments that are not allowed. */
function admit(command: Command, { request }: RpcCall, { store }: World, whole: X402Whole): void {
  if (command.op !== 'send' && command.op !== 'stream') return;
  // A fault may let through params that are broken.
  const message: Message | undefined = command.params.message;
  if (message === undefined || !Array.isArray(message.parts)) return;
  const unbound = message.taskId === undefined ? whole.x402.unbound(message) : undefined;
  if (unbound !== undefined) throw unbound;
  if (whole.x402.isActive(request)) return;
  const task = message.taskId === undefined ? undefined : store.get(message.taskId);
  const isAbout =
    message.taskId === undefined
      ? whole.x402.skill(message) !== undefined
      : task !== undefined && whole.visible(task.id, request.caller) && whole.x402.account(task) !== undefined;
  if (isAbout) throw inactive(whole);
}
