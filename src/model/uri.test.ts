import { expect, test } from 'vitest';
import { isGrpcTarget, isHttpUrl, isUri } from './uri.js';

test.each([
  'https://agent.example',
  'HTTP://agent.example:8080/a2a?x=1#y',
  'http://localhost:0',
  'http://[::1]:4000/a2a',
  'https://bücher.example/straße',
  'https://a.example/%C3%A9/(1)',
])('%s can be called', (url) => {
  expect(isHttpUrl(url)).toBe(true);
});

test.each([
  '',
  '/a2a',
  'agent.example',
  'REPLACE_BY_THE_ENDPOINT',
  'https://',
  'https:agent.example',
  'https:///a2a',
  'https://<HOST>/a2a',
  'https://{host}/a2a',
  'https://agent.example/agents/<AGENT_ID>',
  'https://agent.example/agents/{id}',
  'https://agent example/a2a',
  ' https://agent.example',
  'https://agent.example/\n',
  'https://agent.example/%zz',
  'https://agent.example:99999/',
  'local://agent',
  'wss://agent.example',
  'stdio',
])('%j cannot be called', (url) => {
  expect(isHttpUrl(url)).toBe(false);
});

test.each([
  [isUri, 'local://agent', true],
  [isUri, 'wss://agent.example/ws', true],
  [isUri, 'urn:agent:1', true],
  [isUri, 'agent', false],
  [isUri, '/agent', false],
  [isUri, 'x:', false],
  [isUri, 'local://<agent>', false],
  [isGrpcTarget, 'grpc.example:443', true],
  [isGrpcTarget, 'https://grpc.example/a2a', true],
  [isGrpcTarget, 'dns:///grpc.example:50051', true],
  [isGrpcTarget, '10.0.0.1:50051', true],
  [isGrpcTarget, '[::1]:50051', true],
  [isGrpcTarget, '/grpc', false],
  [isGrpcTarget, '<HOST>:443', false],
  [isGrpcTarget, '', false],
] as const)('%o of %j: %j', (is, text, wanted) => {
  expect(is(text)).toBe(wanted);
});

test('reads long texts in one pass', () => {
  expect(isHttpUrl(`https://a.example/${'a'.repeat(4_000_000)}`)).toBe(true);
  expect(isHttpUrl(`https://${'a@'.repeat(2_000_000)}<`)).toBe(false);
  expect(isUri('a'.repeat(4_000_000))).toBe(false);
});
