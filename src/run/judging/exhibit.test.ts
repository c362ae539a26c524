import { describe, expect, test } from 'vitest';
import { plainExchange } from '../../../test/reports.js';
import type { Outcome } from '../../kit/index.js';
import { describe as told } from '../../kit/index.js';
import type { Exchange } from '../../wire/index.js';
import { exhibitOf } from './exhibit.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const exchange = (id: string, sent: string, came: string, more: Partial<Exchange> = {}): Exchange => ({
  ...plainExchange,
  id,
  request: { ...plainExchange.request, body: bytes(sent) },
  response: { status: 200, headers: [], body: bytes(came), chunks: [] },
  ...more,
});
const refused = (exchange: Exchange): Outcome<unknown> => ({
  kind: 'refusal',
  code: -32602,
  inForm: true,
  error: 'InvalidParams',
  message: 'no',
  data: undefined,
  id: 1,
  exchange,
});
const taken = (exchange: Exchange): Outcome<unknown> => ({
  kind: 'result',
  value: {},
  wire: { id: exchange.id },
  exchange,
});

const minus = exchange('x1', '{"historyLength":-1}', '{"error":{}}');
const text = exchange('x2', '{"historyLength":"x"}', '{"result":{"id":"x2"}}');
const read = exchange('x3', '{"method":"GetTask"}', '{"result":{"id":"task-0815"}}');
const call = exchange('x4', '', '', { toWebhook: true });

describe('which exchange shows a failure', () => {
  test.for<[string, string, unknown, readonly Exchange[], string | undefined]>([
    ['the outcome itself', 'x', refused(minus), [minus, text], 'x1'],
    ['of several, the one that is told', told(taken(text)), [refused(minus), taken(text)], [minus, text, read], 'x2'],
    ['by name', `list: ${told(taken(text))}`, { set: refused(minus), list: taken(text) }, [minus, text], 'x2'],
    [
      'the part that is named, whatever its answer says',
      'in capitals: the payment was taken',
      [
        { about: 'as it was', attempt: { outcome: taken(text) } },
        { about: 'in capitals', attempt: { outcome: taken(minus), exhibit: read } },
      ],
      [minus, text, read],
      'x3',
    ],
    ['what names itself', 'x', { exhibit: read, outcome: taken(text) }, [minus, text, read], 'x3'],
    ['the one that says most of it', 'the task task-0815 is gone', { listed: [] }, [minus, read, text], 'x3'],
    ['the last one, where none says anything', 'it is wrong', {}, [minus, read, text], 'x2'],
    ['never what the agent sent', 'it is wrong', {}, [minus, call], 'x1'],
    ['none, where nothing was sent', 'it is wrong', {}, [], undefined],
    ['none of what was not sent', 'x', { kind: 'not-sent', reason: 'x' }, [minus], undefined],
  ])('%s', ([, reason, seen, sent, id]) => {
    expect(exhibitOf(reason, seen, sent)?.id).toBe(id);
  });
});
