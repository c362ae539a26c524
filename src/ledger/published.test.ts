import { expect, test } from 'vitest';
import { loadLedger } from './index.js';
import { publishedAt } from './published.js';

const ledgers = [
  ...['a2a-1.0', 'a2a-1.0-rest', 'a2a-1.0-grpc', 'a2a-0.3', 'a2a-0.3-rest', 'a2a-0.3-grpc', 'a2a-0.2'],
  ...['client-1.0', 'client-0.3', 'client-0.2'],
];

test.each(ledgers)('every row of %s leads to the heading of its section', (id) => {
  const rows = loadLedger(id).rows.filter(({ since }) => since === undefined);
  const without = rows.filter((row) => !/\/specification\/#[a-z0-9-]+$/.test(publishedAt(row) ?? ''));
  // The page that is published has no such heading.
  const known = new Set(['A2A02-LIST-001', 'A2A02-LIST-002', 'A2A10-CARD-016']);
  expect(without.map((row) => row.id).filter((text) => !known.has(text))).toEqual([]);
});

test('a link leads to the text of the version', () => {
  const link = (id: string, section: string, since?: string) =>
    publishedAt({ id, section, since, document: undefined });
  expect(link('A2A10-CARD-006', '4.4.1 AgentCard')).toBe(
    'https://a2a-protocol.org/v1.0.0/specification/#441-agentcard',
  );
  expect(link('A2A03-GET-001', '7.3 tasks/get')).toBe('https://a2a-protocol.org/v0.3.0/specification/#73-tasksget');
  expect(link('A2A10-X-1', '99.9 Nowhere')).toBe('https://a2a-protocol.org/v1.0.0/specification/');
  expect(link('A2A10-X-1', '4.4.1 AgentCard', '1.0.1')).toBe('https://a2a-protocol.org/latest/specification/');
  expect(link('XPR-1', 'Rate Limiting')).toBeUndefined();
});

test.each([
  ['a2a-1.0', 'v1.0.0'],
  ['a2a-1.0-rest', 'v1.0.0'],
  ['a2a-1.0-grpc', 'v1.0.0'],
  ['client-1.0', 'v1.0.0'],
  ['a2a-0.3', 'v0.3.0'],
  ['a2a-0.3-rest', 'v0.3.0'],
  ['a2a-0.3-grpc', 'v0.3.0'],
  ['client-0.3', 'v0.3.0'],
  ['a2a-0.2', 'v0.2.6'],
  ['client-0.2', 'v0.2.6'],
])('no row of %s leads to the text of another version than %s', (id, tag) => {
  const rows = loadLedger(id).rows.filter(({ since }) => since === undefined);
  const astray = rows.filter((row) => publishedAt(row)?.startsWith(`https://a2a-protocol.org/${tag}/`) !== true);
  expect(astray.map((row) => row.id)).toEqual([]);
});
