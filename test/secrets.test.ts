import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { reporters } from '../reporters/index.js';
import { demoCommand } from '../src/cli/commands/demo.js';
import { variants } from '../src/reference/index.js';
import { createRedactor } from '../src/wire/index.js';
import { disguises } from './disguises.js';
import { judge } from './judged.js';
import { renderBy } from './reports.js';
import { silentTerminal } from './terminal.js';

// No credentials of either caller come out of the kit, even when the agent shows them to all callers.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secrets = ['alice-token', 'bob-token', 'alice:alice-token', 'bob:bob-token'];
const spellings = secrets.flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
]);
const formats = reporters.map(({ id }) => id);

test.for([
  { variant: 'bearer-required', fault: ['auth-token-in-error', 'auth-token-in-task'] },
  { variant: 'api-key-query', fault: ['auth-key-in-error'] },
  { variant: 'api-key-header', fault: [] },
  { variant: 'api-key-cookie', fault: [] },
  { variant: 'basic-auth', fault: [] },
  { variant: 'bearer-required-everywhere', fault: [] },
])('$variant $fault', { timeout: 60_000 }, async ({ variant, fault }) => {
  const terminal = silentTerminal();
  const files = formats.map((format) => `${format}=${join(folder, `${variant}.${format}`)}`);
  await demoCommand(
    {
      profile: 'a2a-1.0',
      variant,
      fault,
      suite: ['auth', 'card'],
      report: [...files, 'console'],
      verbose: true,
      seed: 1,
    },
    terminal,
  );
  const written = readdirSync(folder).filter((name) => name.startsWith(`${variant}.`));
  expect(written.length).toBe(formats.length);
  const texts = [terminal.said(), ...written.map((name) => readFileSync(join(folder, name), 'utf8'))];
  for (const text of texts) {
    expect(text.length).toBeGreaterThan(0);
    expect(spellings.filter((secret) => text.includes(secret))).toEqual([]);
  }
  // The canary sings only where there was something to be hidden.
  expect(texts.some((text) => text.includes('[secret-') || text.includes('[hidden]'))).toBe(true);
});

test('what the agent says of them in notifications comes out of no report', async () => {
  const secret = 'Sesame-Push/0008+aBcD';
  const encode = new TextEncoder();
  let count = 0;
  const report = await judge({
    profile: 'a2a-1.0',
    checks: ['push/*'],
    redactor: createRedactor([secret]),
    patches: [
      ...variants.filter(({ id }) => id === 'push').map(({ patch }) => patch),
      (inner) => ({
        notification(event, task, config) {
          const request = inner.notification(event, task, config);
          const disguise = disguises[count % disguises.length] ?? String;
          const shown = count++ % 2 === 0 ? secret : disguise(secret);
          const body = Buffer.from(request?.body ?? [])
            .toString()
            .replace(/}$/, `,"said":${JSON.stringify(shown)}}`);
          return (
            request && {
              ...request,
              url: `${request.url}?${new URLSearchParams({ token: secret, said: secret })}`,
              headers: [...request.headers, ['x-said', secret]],
              body: encode.encode(body),
            }
          );
        },
      }),
    ],
  });
  const calls = report.exchanges.filter(({ toWebhook }) => toWebhook === true);
  expect(count).toBeGreaterThan(disguises.length);
  expect(calls.length).toBeGreaterThan(0);
  const kept = calls.map(({ request }) => `${request.url} ${request.headers} ${Buffer.from(request.body ?? [])}`);
  const texts = [...kept, ...reporters.map((reporter) => renderBy(reporter, report))];
  const spelled = [secret, encodeURIComponent(secret), ...disguises.map((disguise) => disguise(secret))];
  for (const text of texts) expect(spelled.filter((value) => text.includes(value))).toEqual([]);
  expect(texts.some((text) => text.includes('[secret-1]'))).toBe(true);
});
