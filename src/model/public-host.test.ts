import { expect, test } from 'vitest';
import { isPublicHost } from './public-host.js';

const hostOf = (host: string): string => new URL(`http://${host}/`).hostname;

test.each([
  'localhost',
  'agent',
  'agent.test',
  'host.docker.internal',
  'printer.local',
  'a.default.svc.cluster.local',
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '[::1]',
  '[fd00::1]',
  '[fe80::1]',
  '[::ffff:10.0.0.1]',
])('%s is not public', (host) => {
  expect(isPublicHost(hostOf(host))).toBe(false);
});

test.each(['example.com', 'agents.example.com.', '8.8.8.8', '172.32.0.1', '[2606:4700::1]', 'test.org'])(
  '%s is public',
  (host) => {
    expect(isPublicHost(hostOf(host))).toBe(true);
  },
);
