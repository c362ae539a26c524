import { describe, expect, test } from 'vitest';
import {
  addressOf,
  describeNetwork,
  isHere,
  placeOf,
  proxyFor,
  proxyOfEnvironment,
  readResolve,
  secretsOfNetwork,
} from '../index.js';

const at = (url: string) => placeOf(new URL(url));

describe('the proxies of the environment', () => {
  test('by their usual names; those in small letters count more', () => {
    expect(proxyOfEnvironment({})).toBeUndefined();
    expect(proxyOfEnvironment({ NO_PROXY: '*', HTTP_PROXY: ' ', https_proxy: '' })).toBeUndefined();
    expect(
      proxyOfEnvironment({ HTTP_PROXY: 'http://a:1', http_proxy: 'b:2', HTTPS_PROXY: 'https://c', no_proxy: 'x' }),
    ).toEqual({ http: 'http://b:2/', https: 'https://c/', no: 'x' });
  });

  test.for(['socks5://me:secret@host', 'http://', 'ftp://secret', 'a b secret'])(
    '%s is not a proxy, and is not quoted',
    (text) => {
      expect(() => proxyOfEnvironment({ HTTPS_PROXY: text })).toThrow(
        /^HTTPS_PROXY (names a proxy of another kind|is not the URL of a proxy)/,
      );
      try {
        proxyOfEnvironment({ HTTPS_PROXY: text });
      } catch (error) {
        expect(String(error)).not.toContain('secret');
      }
    },
  );
});

describe('NO_PROXY', () => {
  const through = (url: string, no: string) =>
    proxyFor(at(url), { proxy: { http: 'http://proxy:1', https: 'http://proxy:2', no } })?.host;

  test.for<[string, string, boolean]>([
    ['http://agent.example', '', true],
    ['http://agent.example', '*', false],
    ['http://agent.example', 'agent.example', false],
    ['http://AGENT.example', 'Agent.Example', false],
    ['http://agent.example', 'other.example agent.example', false],
    ['http://agent.example', 'other.example,  agent.example', false],
    ['http://agent.example', '.example', false],
    ['http://agent.example', '*.example', false],
    ['http://agent.example', 'example', false],
    ['http://agent.example', 'xample', true],
    ['http://agent.example', 'gent.example', true],
    ['http://agent.example', 'agent.example:80', false],
    ['http://agent.example', 'agent.example:81', true],
    ['https://agent.example', 'agent.example:443', false],
    ['http://10.1.2.3', '10.1.2.3', false],
    ['http://10.1.2.3', '2.3', true],
    ['http://[fd00::7]', 'fd00::7', false],
    ['http://[fd00::7]:8080', '[fd00::7]:8080', false],
    ['http://[fd00::7]:8080', '[fd00::7]:8081', true],
    ['http://agent.example', '. , .. ,:', true],
  ])('%s with %j: a proxy is asked: %s', ([url, no, isAsked]) => {
    expect(through(url, no) !== undefined).toBe(isAsked);
  });

  test('loopback is never asked of a proxy, and each scheme has its own', () => {
    for (const url of ['http://localhost:4000', 'https://127.0.0.1', 'http://[::1]:1', 'http://agent.localhost'])
      expect([url, through(url, '')]).toEqual([url, undefined]);
    expect([through('http://a.example', ''), through('https://a.example', '')]).toEqual(['proxy:1', 'proxy:2']);
    expect(proxyFor(at('https://a.example'), { proxy: { http: 'http://proxy:1' } })).toBeUndefined();
  });
});

describe('--resolve', () => {
  test.for<[string, object]>([
    ['Agent.Test:10.0.0.7', { host: 'agent.test', address: '10.0.0.7' }],
    ['agent.test:443:10.0.0.7', { host: 'agent.test', port: 443, address: '10.0.0.7' }],
    ['agent.test:::1', { host: 'agent.test', address: '::1' }],
    ['agent.test:[fd00::7]', { host: 'agent.test', address: 'fd00::7' }],
    ['agent.test:443:[::1]', { host: 'agent.test', port: 443, address: '::1' }],
    ['agent.test:80::1', { host: 'agent.test', address: '80::1' }],
    ['10.0.0.1:10.0.0.2', { host: '10.0.0.1', address: '10.0.0.2' }],
    ['[fd00::1]:443:10.0.0.2', { host: '[fd00::1]', port: 443, address: '10.0.0.2' }],
  ])('%s', ([text, expected]) => {
    expect(readResolve(text)).toEqual(expected);
  });

  test.for([
    '',
    'agent.test',
    'agent.test:',
    ':10.0.0.7',
    'agent.test:443',
    'agent.test:other',
    'a b:10.0.0.7',
    'agent.test:0:10.0.0.7',
    'agent.test:65536:10.0.0.7',
    'http://agent.test:10.0.0.7',
  ])('%j is none', (text) => {
    expect(() => readResolve(text)).toThrow('is not of the form host:address');
  });

  test('holds for the port that it names, and for any case of the name', () => {
    const network = {
      resolve: [
        readResolve('agent.test:443:10.0.0.1'),
        readResolve('agent.test:127.0.0.1'),
        readResolve('[fd00::1]:::1'),
      ],
    };
    expect(addressOf(at('https://AGENT.test'), network)).toBe('10.0.0.1');
    expect(addressOf(at('http://agent.test'), network)).toBe('127.0.0.1');
    expect(addressOf(at('http://other.test'), network)).toBeUndefined();
    expect(addressOf(at('http://[fd00::1]'), network)).toBe('::1');
    expect([isHere(at('http://agent.test'), network), isHere(at('https://agent.test'), network)]).toEqual([
      true,
      false,
    ]);
  });
});

test('what is said of a network has no secret, and its secrets are known in each spelling', () => {
  const network = {
    proxy: { https: 'http://me:pa%3Ass@proxy.example:3128/' },
    ca: 'PEM',
    cert: 'PEM',
    key: 'PEM',
    insecure: true,
    resolve: [{ host: 'agent.test', address: '10.0.0.7' }],
  };
  expect(describeNetwork('https://agent.test', network)).toEqual([
    'certificates were not checked (--insecure): a server in between could have answered for the agent',
    'through the proxy http://proxy.example:3128',
    'agent.test was called at 10.0.0.7 (--resolve)',
    'more certificates were trusted than those of the machine (--ca-file)',
    'the kit showed a certificate of its own (--cert-file)',
    'lines of curl need these options too: --insecure --resolve agent.test:443:10.0.0.7 --cacert <file> --cert <file> --key <file>',
  ]);
  const inner = { resolve: [{ host: 'agent.test', port: 8443, address: 'fd00::7' }] };
  expect(describeNetwork('https://agent.test:8443', inner).at(-1)).toBe(
    'lines of curl need these options too: --resolve agent.test:8443:[fd00::7]',
  );
  expect(describeNetwork('https://agent.test', { proxy: network.proxy })).toHaveLength(1);
  expect(describeNetwork('http://agent.test', {})).toEqual([]);
  expect(secretsOfNetwork(network)).toEqual(['me:pa:ss', 'bWU6cGE6c3M=', 'pa:ss']);
  expect(secretsOfNetwork({})).toEqual([]);
});
