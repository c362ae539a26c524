import { describe, expect, test } from 'vitest';
import { callablePlace, callableUrl, placeOf } from './callable.js';

const target = { origins: ['http://agent.test:4000', 'https://other.test'], endpoint: 'http://agent.test:4000/rpc' };

describe('where an interface is called', () => {
  test.each([
    ['JSONRPC', 'http://agent.test:4000/rpc', 'http://agent.test:4000/rpc'],
    ['JSONRPC', 'https://other.test/rpc', 'https://other.test/rpc'],
    ['JSONRPC', 'http://agent.test:4001/rpc', undefined],
    ['HTTP+JSON', 'http://elsewhere.test/', undefined],
    ['HTTP+JSON', 'grpc://agent.test:4000', undefined],
    ['https://vendor.example/binding', 'http://agent.test:4001/', undefined],
    ['GRPC', 'http://agent.test:4000', 'http://agent.test:4000'],
    ['GRPC', 'grpc://agent.test:50051', 'http://agent.test:50051'],
    ['GRPC', 'agent.test:50051', 'https://agent.test:50051'],
    ['GRPC', 'https://agent.test:50051/a2a', 'https://agent.test:50051'],
    ['GRPC', 'grpcs://other.test:443', 'https://other.test'],
    // Another host than the given one, and not the allowed origin.
    ['GRPC', 'grpcs://other.test:50051', undefined],
    ['GRPC', 'grpc://elsewhere.test:50051', undefined],
    ['GRPC', 'no place', undefined],
  ])('%s at %s', (transport, url, expected) => {
    expect(callablePlace(target, { transport, url })).toBe(expected);
  });

  test('names by which a machine calls itself are one host', () => {
    const here = { origins: ['http://localhost:4000'], endpoint: 'http://localhost:4000/' };
    expect(callablePlace(here, { transport: 'GRPC', url: '127.0.0.1:50051' })).toBe('http://127.0.0.1:50051');
    expect(callableUrl(here, 'http://127.0.0.1:4000/rpc')).toBe('http://localhost:4000/rpc');
  });

  test('an address of gRPC need be no URL', () => {
    expect(placeOf({ transport: 'GRPC', url: '127.0.0.1:50051' })).toBe('http://127.0.0.1:50051');
    expect(placeOf({ transport: 'GRPC', url: 'mailto:nobody' })).toBeUndefined();
    expect(placeOf({ transport: 'JSONRPC', url: '/rpc' })).toBe('/rpc');
  });
});
