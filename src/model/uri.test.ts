import { expect, test } from 'vitest';
import { isGrpcTarget, isHttpUrl, isUri } from './uri.js';

test.each([
  [isHttpUrl, 'https://agent.example', true],
  [isHttpUrl, 'HTTP://agent.example:8080/a2a?x=1#y', true],
  [isHttpUrl, 'http://localhost:0', true],
  [isHttpUrl, 'http://[::1]:4000/a2a', true],
  [isHttpUrl, 'https://bücher.example/straße', true],
  [isHttpUrl, 'https://a.example/%C3%A9/(1)', true],
  [isHttpUrl, '', false],
  [isHttpUrl, '/a2a', false],
  [isHttpUrl, 'agent.example', false],
  [isHttpUrl, 'REPLACE_BY_THE_ENDPOINT', false],
  [isHttpUrl, 'https://', false],
  [isHttpUrl, 'https:agent.example', false],
  [isHttpUrl, 'https:///a2a', false],
  [isHttpUrl, 'https://<HOST>/a2a', false],
  [isHttpUrl, 'https://{host}/a2a', false],
  [isHttpUrl, 'https://agent.example/agents/<AGENT_ID>', false],
  [isHttpUrl, 'https://agent.example/agents/{id}', false],
  [isHttpUrl, 'https://agent example/a2a', false],
  [isHttpUrl, ' https://agent.example', false],
  [isHttpUrl, 'https://agent.example/\n', false],
  [isHttpUrl, 'https://agent.example/%zz', false],
  [isHttpUrl, 'https://agent.example:99999/', false],
  [isHttpUrl, 'local://agent', false],
  [isHttpUrl, 'wss://agent.example', false],
  [isHttpUrl, 'stdio', false],
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

test('letters beyond ASCII are taken, however often others were asked about before', () => {
  for (let at = 0; at < 200_000; at++) isHttpUrl(`https://agent.example/${at % 10}`);
  expect(isHttpUrl('https://b\u00fccher.example/stra\u00dfe')).toBe(true);
});
