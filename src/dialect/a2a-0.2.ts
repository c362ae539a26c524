import { a2a03 } from './a2a-0.3.js';
import { card } from './a2a-0.3-card.js';
import { a2a10 } from './a2a-1.0.js';
import { dataModel } from './data-model.js';
import type { Dialect } from './dialect.js';

// A2A 0.2.x, JSON-RPC binding: https://github.com/a2aproject/A2A/tree/v0.2.6.

const { noParams } = dataModel({ partTag: 'kind', tagged: true });
const { ExtendedCardNotConfigured: _, ...errors } = a2a03.errors;

const operations: Dialect['operations'] = {
  ...a2a03.operations,
  extendedCard: {
    rpc: 'agent/authenticatedExtendedCard',
    params: noParams,
    result: card,
    // §7.10: `{AgentCard.url}/../agent/authenticatedExtendedCard`, as it stands there.
    url: (endpoint) => new URL(`${endpoint}/../agent/authenticatedExtendedCard`).href,
  },
};

export const a2a02: Dialect<'a2a-0.2', never> = {
  ...a2a03,
  id: 'a2a-0.2',
  version: 'a2a-0.2',
  protocolVersion: '0.2.6',
  title: 'A2A 0.2 over JSON-RPC',
  pays: false,
  ledger: 'a2a-0.2',
  clientLedger: 'client-0.2',
  schemas: 'a2a/0.2.6',
  cardPaths: ['/.well-known/agent.json', '/.well-known/agent-card.json', '/.well-known/agent-card', '/agent-card'],
  operations,
  errors,
  // Only 0.2 looks at this path first, and its cards often name no version.
  fits: (document, url) =>
    url.endsWith('/.well-known/agent.json') && a2a10.fits?.(document, url) !== 'yes' ? 'yes' : 'maybe',
};
