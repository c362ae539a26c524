import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as any from '../../test/arbitraries.js';
import { byDay } from '../../test/property-runs.js';
import type { Card, SendParams, StreamEvent } from '../model/index.js';
import { a2a02 } from './a2a-0.2.js';
import { a2a10 } from './a2a-1.0.js';
import type { Codec } from './codec.js';
import { dialects } from './index.js';
import { openclaw } from './openclaw.js';

// Law: encoding and then decoding is the identity on valid canonical values, in every dialect.

const there = <T>(codec: Codec<T>, value: T): unknown => JSON.parse(JSON.stringify(codec.encode(value as never)));

function carries<T>(
  codec: Codec<T> | undefined,
  values: fc.Arbitrary<T>,
  expected: (value: T) => T = (value) => value,
): void {
  if (codec === undefined) return;
  fc.assert(
    fc.property(values, (value) => {
      expect(codec.decode(there(codec, value))).toEqual(JSON.parse(JSON.stringify(expected(value))));
    }),
    byDay(60),
  );
}

describe.for([...new Set([...dialects, a2a10, a2a02, openclaw])])('$id', (dialect) => {
  const { operations, finalFlag, signed } = dialect;
  // Of a message the XPR document knows the role, the parts and the task; of a question, the task.
  const known = ({ message, metadata }: SendParams): SendParams => ({
    message: { ...message, messageId: '' },
    ...(metadata === undefined ? {} : { metadata }),
  });
  test('tasks', () => carries(operations.get.result, any.task));
  test('send params', () => carries(operations.send?.params, any.sendParams, signed && known));
  test('send replies', () =>
    carries(
      operations.send?.result,
      any.event.filter((event) => event.type === 'task' || event.type === 'message') as never,
    ));
  test('stream events', () =>
    carries(
      operations.stream?.result,
      any.event,
      (event): StreamEvent => (event.type === 'status' && finalFlag ? { final: false, ...event } : event),
    ));
  test('push configurations', () => carries(operations.pushSet?.params, any.taskPushConfig));
  test('task queries', () =>
    carries(
      operations.get.params,
      fc.record({ id: fc.uuid(), historyLength: fc.nat(9) }),
      signed && (({ id }) => ({ id })),
    ));
  test('what a card says to a client', () => {
    const card: Card = {
      name: 'An agent',
      version: '1.2.3',
      interfaces: [{ url: 'https://agent.example/a2a', transport: 'JSONRPC' }],
      capabilities: { streaming: true, push: true, extendedCard: true, extensions: [{ uri: 'urn:x', required: true }] },
      inputModes: ['text/plain'],
      outputModes: ['application/json'],
      skills: [{ id: 'echo', inputModes: ['text/plain'], outputModes: [] }],
      security: [{ token: ['read'] }],
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      },
      signatures: [{ protected: 'e30', signature: 'AA' }],
    };
    expect(dialect.card.decode(there(dialect.card, card))).toMatchObject(card);
  });
});

test('reads a security scheme of 1.0 by the member that is set, whatever is null beside it', () => {
  const names = ['apiKey', 'httpAuth', 'oauth2', 'openIdConnect', 'mtls'].map((name) => `${name}SecurityScheme`);
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  const read = a2a10.card.decode({
    securitySchemes: {
      http: { ...nulls, httpAuthSecurityScheme: { scheme: 'Bearer' } },
      mtls: { ...nulls, mtlsSecurityScheme: {} },
      oidc: { ...nulls, openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a.example' } },
      none: nulls,
    },
  });
  expect({ ...read?.securitySchemes }).toEqual({
    http: { type: 'http', scheme: 'Bearer' },
    mtls: { type: 'mutualTLS' },
    oidc: { type: 'openIdConnect' },
  });
});
