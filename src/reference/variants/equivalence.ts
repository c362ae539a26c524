import type { Card } from '../../model/index.js';
import { alice, bearerOf, bob } from '../accounts.js';
import { plainReply } from '../http.js';
import { cameOver, showing, showingHistory, showingTasks } from '../one-side.js';
import { type Patch, together } from '../seams.js';
import { type Variant, variant } from '../variant.js';
import { allBindings } from './all-bindings.js';
import { able, declaring } from './declaring.js';

const audit = 'https://vendor.example/extensions/audit/v1';
const trace = 'https://vendor.example/extensions/trace/v1';

const guarded = declaring({
  security: [{ main: [] }],
  securitySchemes: { main: { type: 'http', scheme: 'bearer' } },
});

/** Over HTTP+JSON a tenant is the first segment of the path (a2a.proto, additional bindings). */
const inPath =
  (tenant: string): Patch =>
  (inner) => ({
    httpCall(request) {
      const call = inner.httpCall({ ...request, url: request.url.replace(`/${tenant}/`, '/') });
      return call === undefined ? undefined : { ...call, params: { ...call.params, tenant } };
    },
  });

const withTenant = together(
  declaring(({ interfaces }) => ({ interfaces: interfaces.map((item) => ({ ...item, tenant: 'acme' })) })),
  inPath('acme'),
);

/** A message that is known by its id gets the task that it made. */
const knowingMessages: Patch = (inner, { store }, whole) => ({
  async execute(command, call) {
    if (command.op !== 'send' || command.params.message.taskId !== undefined) return inner.execute(command, call);
    const { messageId } = command.params.message;
    const known = store.all().find(({ history = [] }) => history[0]?.messageId === messageId);
    if (known === undefined) return inner.execute(command, call);
    return {
      op: 'send',
      result: { type: 'task', task: whole.view(known, command.params.configuration?.historyLength) },
    };
  },
});

const adding = (more: (card: Card) => Card['interfaces'][number] | undefined): Patch =>
  declaring((card) => {
    const item = more(card);
    return { interfaces: item === undefined ? card.interfaces : [...card.interfaces, item] };
  });

const rest = 'http+json';
const cutToSeconds = (time: string): string => time.replace(/\.\d+Z$/, 'Z');

const definitions: readonly Omit<Variant, 'profiles'>[] = [
  variant('all-bindings', {
    about: 'Speaks JSON-RPC, HTTP+JSON and gRPC over one store, and declares each (1.0 §5, 0.3 §3.4).',
    patch: allBindings,
  }),
  variant('all-bindings-everything', {
    about:
      'Speaks every binding, with streams, push notifications, an extended card, and a bearer token for all of it.',
    headers: [bearerOf(alice)],
    secondHeaders: [bearerOf(bob)],
    patch: together(allBindings, guarded, able({ streaming: true, push: true, extendedCard: true })),
  }),
  variant('all-bindings-times-in-seconds', {
    about: 'Speaks every binding, and writes times over HTTP+JSON without fractions of a second (1.0 §5.6.1).',
    patch: together(
      allBindings,
      showingTasks(rest, ({ status, ...task }) => ({
        ...task,
        status: {
          ...status,
          ...(status.timestamp === undefined ? {} : { timestamp: cutToSeconds(status.timestamp) }),
        },
      })),
    ),
  }),
  variant('all-bindings-empty-members', {
    about: 'Speaks every binding, and shows empty lists and objects over HTTP+JSON, which the others leave out.',
    patch: together(
      allBindings,
      showingHistory(rest, (message) => ({ referenceTaskIds: [], extensions: [], metadata: {}, ...message })),
      showing(rest, (outcome) =>
        outcome.op === 'get' ? { ...outcome, result: { artifacts: [], metadata: {}, ...outcome.result } } : outcome,
      ),
    ),
  }),
  variant('all-bindings-configs-in-another-order', {
    about: 'Speaks every binding, and lists push configurations over HTTP+JSON in another order than over the others.',
    patch: together(
      allBindings,
      able({ push: true }),
      showing(rest, (outcome) =>
        outcome.op === 'pushList' ? { ...outcome, result: [...outcome.result].reverse() } : outcome,
      ),
    ),
  }),
  variant('all-bindings-subscribe-by-get', {
    about: 'Speaks every binding, and has a subscription over HTTP+JSON as a GET only (AMB03-16, AMB10-04).',
    patch: together(allBindings, able({ streaming: true }), (inner) => ({
      async serveHttp(request) {
        const isPost = request.method === 'POST' && new URL(request.url).pathname.endsWith(':subscribe');
        return isPost ? plainReply(405, 'Method not allowed', [['allow', 'GET']]) : inner.serveHttp(request);
      },
    })),
  }),
  variant('all-bindings-one-down', {
    about: 'Declares an HTTP+JSON interface that is down for now: nothing can be compared with it (RFC 9110 §15.6.4).',
    patch: together(
      allBindings,
      adding(
        ({ interfaces: [first] }) =>
          first && { ...first, url: new URL('/down', first.url).href, transport: 'HTTP+JSON' },
      ),
      (inner) => ({
        serve(request) {
          if (!new URL(request.url).pathname.startsWith('/down')) return inner.serve(request);
          const headers = [['content-type', 'text/plain']] as const;
          return Promise.resolve({ status: 503, headers, body: 'Out of service\n' });
        },
      }),
    ),
  }),
];

const definitions10: readonly Omit<Variant, 'profiles'>[] = [
  variant('all-bindings-extensions', {
    about: 'Speaks every binding, and requires an extension over each (1.0 §3.3.4).',
    headers: [['A2A-Extensions', audit]],
    patch: together(
      allBindings,
      able({
        extensions: [
          { uri: audit, required: true },
          { uri: trace, required: false },
        ],
      }),
    ),
  }),
  variant('all-bindings-tenant', {
    about: 'Speaks every binding, each with the same tenant (1.0 §8.3.2).',
    patch: together(allBindings, withTenant, able({ streaming: true })),
  }),
  variant('all-bindings-another-tenant', {
    about: 'Speaks every binding, one of them for a tenant of its own, whose tasks the others do not show.',
    patch: together(
      allBindings,
      declaring(({ interfaces }) => ({
        interfaces: interfaces.map((item, index) => (index === 0 ? item : { ...item, tenant: 'other' })),
      })),
      inPath('other'),
      (inner) => ({
        async execute(command, call) {
          const isOther = !cameOver(call.request, 'jsonrpc') && JSON.stringify(call.params ?? {}).includes('"other"');
          return isOther && command.op === 'get'
            ? inner.execute({ ...command, params: { id: 'of another tenant' } }, call)
            : inner.execute(command, call);
        },
      }),
    ),
  }),
  variant('all-bindings-know-messages', {
    about: 'Speaks every binding, and takes a message whose id it knows for the same message (1.0 §3.3.1).',
    patch: together(allBindings, knowingMessages),
  }),
];

/** Agents with several interfaces of one version. Where they differ, the texts allow it. */
export const equivalenceVariants: readonly Variant[] = [
  ...definitions.map((definition): Variant => ({ ...definition, profiles: ['a2a-1.0', 'a2a-0.3'] })),
  ...definitions10.map((item): Variant => ({ ...item, profiles: ['a2a-1.0'] })),
];
