import type { ProfileId } from '../../../src/dialect/index.js';
import { isObject, type JsonObject, member } from '../../../src/model/index.js';
import {
  edited,
  jsonHeaders,
  onTask,
  type Patch,
  peek,
  plainReply,
  RpcFailure,
  together,
  type Variant,
  variant,
} from '../../../src/reference/patching.js';
import { header } from '../../../src/wire/index.js';
import { headerNames, legacyPublicKeyText, readPublicKey } from '../signing/index.js';
import { onXpr, setting } from './patches.js';
import { xprHeaderVariants } from './variants-headers.js';
import { xprKeyVariants } from './variants-keys.js';
import { xprLimitVariants } from './variants-limits.js';

const profiles: readonly ProfileId[] = ['xpr', 'xpr-v2'];
const denial = -32000;

const isDenial = (response: unknown): boolean => member(member(response, 'error'), 'code') === denial;

/** Edits the answers of the chain at this path. */
const onChain = (path: string, edit: (answer: unknown) => unknown): Patch =>
  onXpr((inner) => ({
    async ask(asked, question) {
      const answer = await inner.ask(asked, question);
      return asked === path ? edit(answer) : answer;
    },
  }));

/** Accounts that meet any minimum: registered long ago, with the highest KYC level. The kit is given these accounts. */
const wellKnown: readonly unknown[] = ['alice', 'bob'];
const someKnownWell = onChain('/v1/chain/get_table_rows', (answer) =>
  edited(answer, 'rows.*', (row) => {
    if (!isObject(row) || !wellKnown.includes(row['acc'] ?? row['account'])) return row;
    return { ...row, ...(row['acc'] === undefined ? { registered_at: 1 } : { kyc: [3] }) };
  }),
);

/** Gives keys in the text form of older nodes. */
const withLegacyKeys = onChain('/v1/chain/get_account', (answer) =>
  edited(answer, 'permissions.*.required_auth.keys.*.key', (key) =>
    typeof key === 'string' && key.startsWith('PUB_K1_') ? legacyPublicKeyText(readPublicKey(key)) : key,
  ),
);

const optional = setting({ mode: 'optional' });

/** Checks the headers before the body: an unsigned request is refused, whatever its body. */
const headersFirst: Patch = (inner, _, whole) => ({
  async serveRpc(request) {
    if (request.method !== 'POST' || header(request.headers, headerNames.signature) !== undefined) {
      return inner.serveRpc(request);
    }
    const failure = new RpcFailure('AuthenticationError', `${headerNames.signature} is missing`);
    const sent = peek(request);
    const id = (isObject(sent) ? sent['id'] : undefined) ?? null;
    const response: JsonObject = { jsonrpc: '2.0', id, error: whole.error(failure, undefined) };
    return { status: whole.httpStatus(response), headers: jsonHeaders, body: whole.print(response) };
  },
});

/** A message to a completed task begins a new task. */
const beginningAnew: Patch = (inner, { store }) => ({
  execute(command, call) {
    const id = command.op === 'send' ? command.params.message?.taskId : undefined;
    const isDone = id !== undefined && store.owner(id) === call.request.caller && store.get(id) !== undefined;
    if (command.op !== 'send' || !isDone || store.get(id)?.status.state !== 'completed') {
      return inner.execute(command, call);
    }
    const { taskId: _, ...message } = command.params.message;
    return inner.execute({ ...command, params: { ...command.params, message } }, call);
  },
});

/** Agents whose callers sign, each unusual in one way. */
export const xprVariants: readonly Variant[] = [
  variant('xpr-card-at-both-paths', {
    about: 'The card stands at the path of A2A 0.3 too.',
    patch: (inner) => ({
      route: (request) =>
        new URL(request.url).pathname === '/.well-known/agent-card.json' ? 'card' : inner.route(request),
    }),
    profiles,
  }),
  variant('xpr-optional', {
    about: 'Takes unsigned requests, which have no sender (AMBX-07).',
    patch: optional,
    profiles,
  }),
  variant('xpr-optional-reads-only', {
    about: 'Takes unsigned requests that change nothing; messages have to be signed (AMBX-07).',
    patch: together(optional, (inner) => ({
      execute(command, call) {
        if (command.op === 'send' && call.request.caller === undefined) {
          throw new RpcFailure('AuthenticationError', 'messages have to be signed');
        }
        return inner.execute(command, call);
      },
    })),
    profiles,
  }),
  variant('xpr-optional-shared', {
    about: 'Takes unsigned requests; every client can read the tasks that they make (AMBX-03, AMBX-07).',
    patch: together(optional, (inner, { store }) => ({
      visible: (taskId, caller) => store.owner(taskId) === undefined || inner.visible(taskId, caller),
    })),
    profiles,
  }),
  variant('xpr-http-401', {
    about: 'Authentication errors have HTTP status 401; the document names no status.',
    patch: (inner) => ({ httpStatus: (response) => (isDenial(response) ? 401 : inner.httpStatus(response)) }),
    profiles,
  }),
  variant('xpr-http-403-bare', {
    about: 'A server in front of the agent verifies signatures, and answers with a bare HTTP 403.',
    patch: (inner) => ({
      async serve(request) {
        const reply = await inner.serve(request);
        if (typeof reply.body !== 'string') return reply;
        const body = new TextEncoder().encode(reply.body);
        return isDenial(peek({ ...request, body })) ? plainReply(403, 'Forbidden') : reply;
      },
    }),
    profiles,
  }),
  variant('xpr-headers-first', {
    about: 'Refuses unsigned requests before it reads their body, also a body that is not JSON.',
    patch: headersFirst,
    profiles,
  }),
  variant('xpr-min-kyc', {
    about: 'Wants the KYC level 2 of its callers.',
    patch: together(someKnownWell, setting({ minKyc: 2 })),
    told: { minKyc: 2 },
    profiles,
  }),
  variant('xpr-min-trust', {
    about: 'Wants a trust score of 20 of its callers.',
    patch: together(someKnownWell, setting({ minTrust: 20 })),
    told: { minTrust: 20 },
    profiles,
  }),
  variant('xpr-shows-owner', {
    about: 'Tasks show whose they are and when they were made, as those of published agents do.',
    patch: (inner, world, whole) =>
      onTask((task) => {
        const id = String(task['id']);
        const createdAt = new Date(world.store.createdAt(id) ?? 0).toISOString();
        return { ...task, owner: world.store.owner(id) ?? 'anonymous', createdAt };
      })(inner, world, whole),
    profiles,
  }),
  variant('xpr-legacy-keys', {
    about: 'Its chain gives keys in the older text, which begins with EOS.',
    patch: withLegacyKeys,
    profiles,
  }),
  variant('xpr-completed-begins-anew', {
    about: 'A message to a completed task begins another one.',
    patch: beginningAnew,
    profiles,
  }),
  variant('xpr-without-authentication', {
    about:
      'Follows the document as it was before requests were signed: it refuses no client, and all tasks are for all.',
    patch: () => ({ authenticate: async () => undefined }),
    profiles,
  }),
  ...xprHeaderVariants,
  ...xprLimitVariants,
  ...xprKeyVariants,
];
