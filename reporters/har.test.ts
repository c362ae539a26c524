import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { hostileContext, hostileReport, hostileTexts } from '../test/hostile-reports.js';
import { plainExchange, renderBy, reportOf, unseen } from '../test/reports.js';
import { har } from './har.js';
import { type JsonReport, jsonReport, readReport } from './json.js';

interface Archive {
  readonly log: { readonly entries: readonly Readonly<Record<string, unknown>>[] };
}

const require = createRequire(import.meta.url);
const schemas = require('har-schema') as Readonly<Record<string, object>>;
const ajv = new Ajv({ strict: false });
formats.default(ajv);
ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object);
const validate = ajv.addSchema(Object.values(schemas)).getSchema('har.json#');
const defects = (archive: unknown): unknown => (validate?.(archive) === true ? [] : (validate?.errors ?? 'no schema'));
const parsed = (report: Parameters<typeof renderBy>[1]): Archive => JSON.parse(renderBy(har, report)) as Archive;

test('fits the published schema, whatever the target says', () => {
  expect(defects(parsed(reportOf([])))).toEqual([]);
  expect(defects({ log: { version: '1.2', entries: [{}] } })).not.toEqual([]);
  for (const text of hostileTexts) {
    const archive = renderBy(har, hostileReport(text), hostileContext(text));
    expect(unseen(archive)).toEqual([]);
    expect(defects(JSON.parse(archive))).toEqual([]);
  }
});

test('has every exchange: what was sent, what came, and what the agent sent to a webhook', () => {
  const silent = { id: 'x2', failure: { kind: 'timeout' as const, detail: 'nothing in 10 s' } };
  const { response: _, ...asked } = plainExchange;
  const binary = new Uint8Array([0xff, 0, 0xfe]);
  const hook = {
    ...plainExchange,
    id: 'x3',
    toWebhook: true as const,
    startedAt: plainExchange.startedAt + 1,
    request: { ...plainExchange.request, body: binary },
    response: { status: 204, headers: [], body: binary, chunks: [] },
  };
  const { entries } = parsed(reportOf([], { exchanges: [hook, plainExchange, { ...asked, ...silent }] })).log;
  expect(entries).toMatchObject([
    {
      _id: 'x1',
      _purpose: 'task/plain',
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 3.5,
      request: {
        method: 'POST',
        headers: [{ name: 'Content-Type' }, { name: 'X-A', value: '1' }, { name: 'x-a', value: '2' }],
        queryString: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
        postData: { mimeType: 'application/json' },
      },
      response: { status: 200, content: { text: '{"jsonrpc":"2.0","id":1,"result":{}}' } },
    },
    { _id: 'x2', _failure: silent.failure, response: { status: 0, bodySize: -1 } },
    {
      _id: 'x3',
      _toWebhook: true,
      request: { postData: { text: '/wD+', _encoding: 'base64' }, bodySize: 3 },
      response: { status: 204, content: { text: '/wD+', encoding: 'base64', size: 3 } },
    },
  ]);
});

test('is the same when it is rendered later from the JSON report', () => {
  const report = reportOf([], { exchanges: [{ ...plainExchange, toWebhook: true }] });
  const stored = JSON.parse(JSON.stringify(jsonReport(report))) as JsonReport;
  expect(renderBy(har, readReport(stored))).toBe(renderBy(har, report));
});
