import {
  canParseUrl,
  check,
  describe,
  type ErrorName,
  type Interface,
  inconclusive,
  type Judgement,
  lacksOperation,
  NotApplicable,
  type Outcome,
  type Scene,
} from '../../src/kit/index.js';
import { plainCall } from '../rpc/calls.js';

// A2A 1.0 §3.6.1 the version as a parameter, §3.6.2 interfaces of several versions.

const withParameter = (url: string): string => {
  const at = new URL(url);
  at.searchParams.set('A2A-Version', '1.0');
  return at.href;
};

const notFound = (outcome: Outcome<unknown>): Judgement => {
  if (outcome.kind === 'refusal') return outcome.error === 'TaskNotFound' ? undefined : describe(outcome);
  return inconclusive(`the answer does not show which version the agent read: ${describe(outcome)}`);
};

/** Errors for a call of 1.0 that the agent takes for one of 0.3. */
const unread: ReadonlySet<ErrorName | undefined> = new Set(['VersionNotSupported', 'MethodNotFound'] as const);

// In our words (1.0, 3.6.1 Client Responsibilities): The version may come as request parameter instead of header.
export const asParameter = check('version/as-parameter', 'ver.as-parameter')
  .when('the client names the version in the URL', async (scene) => ({
    usual: await scene.use(plainCall),
    outcome: await scene.client.call(
      'get',
      { id: scene.uuid() },
      // An agent that does not read the parameter takes the call for 0.3 (§3.6.2), so `invalid` exempts its answer from
      // the laws.
      { url: withParameter(scene.client.endpoint), without: ['A2A-Version'], invalid: true },
    ),
  }))
  .expects('answer as with the header, or as without', ({ usual, outcome }): Judgement => {
    const other = notFound(usual);
    if (other !== undefined) return inconclusive(`the agent did not answer the usual call: ${describe(usual)}`);
    // §9.2 puts service parameters into header fields: an agent that reads only headers follows it (AMB10-09).
    // A router that knows no query answers 404 for itself.
    const isOfRouter = outcome.kind === 'refusal' && !outcome.inForm && outcome.exchange.response?.status === 404;
    const isUnread =
      isOfRouter || (outcome.kind === 'refusal' && (unread.has(outcome.error) || lacksOperation(outcome)));
    return isUnread ? inconclusive('the agent reads the version in the header only, as §9.2 says') : notFound(outcome);
  })
  .advice('Clients that cannot set headers send ?A2A-Version=1.0.');

const older = ({ card, client }: Scene): Interface | undefined =>
  card.interfaces.find(
    ({ url, transport, version }) =>
      version?.startsWith('0.3') && canParseUrl(url) && client.at(url, transport, version) !== undefined,
  );

// In our words (1.0, 3.6.2 Server Responsibilities): A declared 0.3 interface answers with 0.3 semantics.
export const oldInterface = check('version/old-interface', 'ver.old-interface')
  .when('the client reads a task at the interface of 0.3', async (scene) => {
    const at = older(scene);
    if (at === undefined)
      throw new NotApplicable('the card declares no interface of version 0.3 in a binding that the kit speaks');
    const { origin } = new URL(scene.client.endpoint);
    if (new URL(at.url).origin !== origin) return undefined;
    return scene.client.at(at.url, at.transport, at.version)?.call('get', { id: scene.uuid() });
  })
  .expects('answer as in 0.3', (outcome): Judgement => {
    if (outcome === undefined)
      return inconclusive('allow the other origin with --allow-origin: the kit does not call it');
    if (outcome.kind !== 'refusal')
      return inconclusive(`the answer does not show which version the agent read: ${describe(outcome)}`);
    // The error for an unknown task is only a recommendation in 0.3, but the agent must know the method and the
    // version.
    const isLost = outcome.error === 'MethodNotFound' || outcome.error === 'VersionNotSupported';
    return isLost || !outcome.inForm ? describe(outcome) : undefined;
  })
  .advice('Take the interface of version 0.3 out of the card, or serve the methods of 0.3 there.');
