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
  ['local://agent', true],
  ['wss://agent.example/ws', true],
  ['urn:agent:1', true],
  ['agent', false],
  ['/agent', false],
  ['x:', false],
  ['local://<agent>', false],
] as const)('%j as a URI: %j', (text, is) => {
  expect(isUri(text)).toBe(is);
});

test.each([
  ['grpc.example:443', true],
  ['https://grpc.example/a2a', true],
  ['dns:///grpc.example:50051', true],
  ['10.0.0.1:50051', true],
  ['[::1]:50051', true],
  ['/grpc', false],
  ['<HOST>:443', false],
  ['', false],
] as const)('%j as a target of gRPC: %j', (text, is) => {
  expect(isGrpcTarget(text)).toBe(is);
});

test('reads long texts in one pass', () => {
  expect(isHttpUrl(`https://a.example/${'a'.repeat(4_000_000)}`)).toBe(true);
  expect(isHttpUrl(`https://${'a@'.repeat(2_000_000)}<`)).toBe(false);
  expect(isUri('a'.repeat(4_000_000))).toBe(false);
});
