import { expect, test } from 'vitest';
import { failing } from '../fixtures/faults/shared/breaking.js';
import { replying } from '../fixtures/faults/shared/rpc-replies.js';
import { createFuzzPhase, type StoredCase } from '../src/fuzz/index.js';
import { onCard } from '../src/reference/edits.js';
import type { Patch } from '../src/reference/index.js';
import { judgeFuzzGate } from '../src/run/fuzzing.js';
import { createRedactor } from '../src/wire/index.js';
import { staged } from './fuzzing.js';
import { judge } from './judged.js';

// What is not found on an agent that takes no message proves nothing.

const kit = 'a2a-tck test';
const denied: Patch = replying(() => true, { status: 401, headers: [['www-authenticate', 'Bearer']], body: '' });
const methodIn = (sent: unknown): string => String((sent as { readonly method?: unknown } | undefined)?.method);
const broken: Patch = failing((sent) => /^message\//.test(methodIn(sent)), 'Internal error');
const stored: StoredCase = {
  name: 'one',
  bucket: 'alive/page get valid',
  case: { dialect: 'a2a-0.3', steps: [] },
  document: {} as never,
};

test.each<[string, Patch, RegExp]>([
  ['401 to each call', denied, /^no call was accepted: HTTP 401; give valid credentials with --bearer-env/],
  ['an internal error to each message', broken, /^no message was accepted: -32603 Internal error$/],
])('%s', async (_, patch, why) => {
  const { gate, run, findings } = await judge({
    patches: [patch],
    fuzz: { phase: createFuzzPhase({ runs: 30, kit }), alone: true },
  });
  expect(findings).toEqual([]);
  expect(gate).toMatchObject({ passed: false, verdict: 'unproven', exitCode: 4 });
  expect(gate.reasons[0]).toMatch(why);
  expect(run.messages).toMatchObject({ accepted: false });
  const again = createFuzzPhase({ runs: 1, kit, replay: [stored] });
  const { stage } = await staged({ patches: [patch] });
  expect(judgeFuzzGate(await again(stage))).toMatchObject({ exitCode: 4 });
  expect(judgeFuzzGate(await again(stage), undefined, 0)).toMatchObject({ exitCode: 0 });
});

test.each<[string, { readonly readOnly: boolean }]>([
  ['an agent that takes messages', { readOnly: false }],
  ['one to which none may be sent, and which says what is wrong', { readOnly: true }],
])('%s proves something in however few cases', async (_, options) => {
  for (const runs of [1, 5]) {
    const { stage } = await staged({ stage: options });
    const outcome = await createFuzzPhase({ runs, kit })(stage);
    expect(outcome.messages).toEqual({ accepted: true });
    expect(judgeFuzzGate(outcome)).toMatchObject({ passed: true, exitCode: 0, reasons: [] });
  }
});

test('where none may be sent, an agent that refuses each caller proves nothing', async () => {
  const { stage } = await staged({ patches: [denied], stage: { readOnly: true } });
  const outcome = await createFuzzPhase({ runs: 5, kit })(stage);
  expect(judgeFuzzGate(outcome)).toMatchObject({
    exitCode: 4,
    reasons: [expect.stringMatching(/^no call was accepted: HTTP 401/)],
  });
});

test('why nothing was tried shows no secret that the card names', async () => {
  const secret = 's3cret-token-of-a-caller';
  const other = onCard((card) => ({ ...card, preferredTransport: secret, additionalInterfaces: [] }));
  const { gate } = await judge({
    patches: [other, replying(() => true, { status: 404, headers: [], body: '' })],
    fuzz: { phase: createFuzzPhase({ runs: 1, kit }), alone: true },
    redactor: createRedactor([secret]),
  });
  expect(gate.exitCode).toBe(4);
  expect(gate.reasons[0]).toMatch(/^nothing was tried: the card declares only /);
  expect(gate.reasons[0]).not.toContain(secret);
});
