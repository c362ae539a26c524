import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { badgeState } from '../reporters/badge/state.js';
import { tryModule } from '../src/pack/index.js';
import type { Report } from '../src/report/index.js';
import { startChild } from './child.js';

// docs/packs.md followed in an empty folder with the built package, and packs that cannot be used: one sentence each.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-packs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const kit = async (args: readonly string[], env: Record<string, string> = {}) => startChild(args, env, folder).ended;

const page = readFileSync(join(root, 'docs/packs.md'), 'utf8');
const example = /```js\n(.*?)```/s.exec(page)?.[1] ?? '';

beforeAll(() => {
  put('package.json', '{ "private": true, "type": "module" }');
  put('timestamp.js', example);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/a2a-tck'));
});

describe('the example of the guide', () => {
  test('is short', () => {
    expect(example.split('\n').length).toBeGreaterThan(50);
    expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  test('is proven on every version and binding of A2A', { timeout: 120_000 }, async () => {
    const { code, out, err } = await kit(['prove', '--pack', './timestamp.js']);
    expect(err).toBe('');
    expect(out.match(/^timestamp on a2a-\S+: every check is proven$/gm)?.length, out).toBe(7);
    expect(out).toMatch(/faults +5 of 5 killed, 0 void\n +checks +4 of 4 proven/);
    expect(code).toBe(0);
  });

  test('a check that no fault makes fail is not a proof', async () => {
    put('unproven.js', example.replace(/ {4}fault\('timestamp-none'.*\n/, ''));
    const { code, out } = await kit(['prove', '--pack', './unproven.js', '--profile', 'a2a-1.0']);
    expect(out).toContain('check timestamp/added is killed by no fault that breaks what it decides');
    expect(code).toBe(1);
  });

  test('judges beside the checks of the kit, counts for the gate, and stands in reports', async () => {
    const args = ['demo', '--pack', './timestamp.js', '--suite', 'timestamp,card', '--fuzz-runs', '0', '--json'];
    const { code, out } = await kit([...args, '--fault', 'timestamp-local']);
    const report = JSON.parse(out) as Report;
    expect(code).toBe(1);
    expect(report.run.packs).toMatchObject([{ name: 'timestamp', version: '1.0.0', requirements: { length: 3 } }]);
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toContain('timestamp/format');
    expect(report.checks.find(({ id }) => id === 'timestamp/format')).toMatchObject({
      suite: 'timestamp',
      level: 'must',
      requirements: ['TIMESTAMP-1'],
    });
    expect(report.checks.some(({ suite }) => suite === 'card')).toBe(true);
    expect(badgeState(report).label).toMatch(/^a2a-tck \S+ a2a-1\.0\S*.*, pack timestamp$/);
    put('report.json', out);
    const again = await kit(['report', 'report.json']);
    expect(again.out).toContain('Timestamp Format: A timestamp is a string of RFC 3339 in UTC');
  });

  test('a frozen set keeps none of its checks from the gate', async () => {
    const set = JSON.parse((await kit(['list', 'sets', '--json'])).out) as readonly { readonly id: string }[];
    const args = ['demo', '--pack', './timestamp.js', '--suite', 'timestamp', '--fault', 'timestamp-local', '--json'];
    const { code, out } = await kit([...args, '--set', set[0]?.id ?? '']);
    expect(code).toBe(1);
    expect((JSON.parse(out) as Report).checks.filter(({ afterSet }) => afterSet)).toEqual([]);
  });

  test('its options are set, and the configuration may name it', async () => {
    put('a2a-tck.yaml', 'packs: ./timestamp.js\nsuite: timestamp\npack-option: timestamp.skew=9000\n');
    const args = ['demo', '--config', 'a2a-tck.yaml', '--check', 'timestamp/created', '--verbose'];
    const { code, out, err } = await kit([...args, '--fault', 'timestamp-local']);
    expect(err).toBe('');
    expect(out).toMatch(/pass +MUST +timestamp\/created/);
    expect(code).toBe(0);
  });

  test('does not apply where the card does not claim the extension', async () => {
    const server = startChild(['serve', '--port', '0'], {}, folder);
    try {
      const url = await new Promise<string>((resolve) => {
        server.stdout?.on('data', (text: string) => {
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
          if (found !== undefined) resolve(found);
        });
      });
      const { out } = await kit(['--url', url, '--pack', './timestamp.js', '--suite', 'timestamp', '--json']);
      const { checks } = JSON.parse(out) as Report;
      expect(checks.map(({ verdict }) => verdict)).toEqual(Array(4).fill('not-applicable'));
      expect(checks[0]?.reason).toContain('the card does not declare the extension https://github.com/a2aproject/');
    } finally {
      server.kill();
      await server.ended;
    }
  });

  test('is listed and explained', async () => {
    expect((await kit(['list', '--pack', './timestamp.js'])).out).toMatch(/^timestamp \(4\)\n/);
    const { out } = await kit(['explain', 'timestamp/kept', '--pack', './timestamp.js']);
    expect(out).toContain('MUST in the pack timestamp');
    expect((await kit(['explain', 'TIMESTAMP-3', '--pack', './timestamp.js'])).out).toContain('timestamp/added');
  });
});

const minimal = `
  name: 'shop', version: '1', api: 1, extension: 'https://shop.example/v1',
  rows: [{ id: 'SHOP-1', key: 'shop.said', level: 'MUST', section: '1', statement: 's', observe: 'o' }],
  agent: extending('https://shop.example/v1', together()),
  faults: [{ id: 'shop-mute', about: 'a', breaks: ['shop.said'], patch: onTask(() => null) }],
  rules: [rule('shop/said', 'shop.said')],`;
const pack = (more: string): string => `
import { check, definePack, extending, onTask, together } from 'a2a-tck/pack';
const rule = (id, key) => check(id, key).when('it is asked', async ({ card }) => card).expects('be', () => undefined).advice('Be.');
export default definePack({ ${minimal} ${more} });`;

describe('a pack that cannot be used is one sentence', () => {
  test.for<[string, string, RegExp]>([
    ['throws', 'throw new Error("no database");', /cannot be loaded: it throws Error: no database$/m],
    ['is no JavaScript', 'export default {', /cannot be loaded: it throws SyntaxError/],
    ['ends the process', 'process.exit(0);', /cannot be loaded: its thread ends before it is loaded/],
    ['never comes', 'await new Promise(() => {});', /cannot be loaded: its thread ends before it is loaded/],
    ['is none', 'export default { name: "x" };', /its default export is not made by definePack/],
    ['is of another API', pack('api: 2,'), /it asks for version 2 of the pack API, and this a2a-tck has version 1/],
    ['has no name', pack('name: "Shop",'), /its name must be small letters/],
    ['claims nothing', pack('extension: undefined,'), /it must have one of extension .* and unless/],
    ['has a wrong row', pack('rows: [{ id: "SHOP-1" }],'), /one of its rows is wrong: SHOP-1/],
    ['redefines a check', pack('rules: [rule("card/etag", "shop.said")],'), /it redefines the check card\/etag/],
    [
      'redefines a row',
      pack('rows: [{ id: "SHOP-1", key: "card.etag", level: "MUST", section: "1", statement: "s", observe: "o" }],'),
      /it redefines the requirement key card\.etag/,
    ],
    [
      'redefines its own',
      pack('rules: [rule("shop/said", "shop.said"), rule("shop/said", "shop.said")],'),
      /it redefines the check shop\/said/,
    ],
    [
      'has another name in ids',
      pack('rules: [rule("other/said", "shop.said")],'),
      /its check other\/said must begin with shop\//,
    ],
    ['has the name of a suite', pack('name: "card", rows: [], rules: [], faults: [],'), /has a suite card already/],
    ['cites no row', pack('rules: [rule("shop/said", "shop.sold")],'), /cites shop\.sold, which is none of its rows/],
    [
      'wants an option',
      pack('rules: ({ option }) => [rule("shop/said", option("key"))],'),
      /it wants the option key, which it does not declare/,
    ],
    ['has rules that throw', pack('rules: () => missing,'), /its rules throw ReferenceError/],
    [
      'breaks nothing',
      pack('faults: [{ id: "f", about: "a", breaks: [], patch: together() }],'),
      /its fault f breaks none of its rows/,
    ],
  ])('%s', async ([name, text, sentence]) => {
    const file = `bad/${name.replaceAll(' ', '-')}.js`;
    put(file, text);
    const { code, out, err } = await kit(['list', '--pack', `./${file}`]);
    expect(err).toMatch(sentence);
    expect(err).toMatch(/^a2a-tck: the pack \.\/bad\//);
    expect(err.trimEnd().split('\n').length, err).toBeLessThanOrEqual(2);
    expect([code, out]).toEqual([2, '']);
  });

  test('is of another copy of the kit', async () => {
    put('other.js', "export default { definition: {}, [Symbol.for('a2a-tck.pack')]: true };");
    expect((await kit(['list', '--pack', './other.js'])).err).toContain('is made by another copy of a2a-tck');
  });

  test('hangs', async () => {
    const hanging = `data:text/javascript,${encodeURIComponent('for (;;);')}`;
    await expect(tryModule('./x.js', hanging, 300)).rejects.toThrow(
      'the pack ./x.js cannot be loaded: it does not load within 0.3 s',
    );
  });

  test.for<[readonly string[], RegExp]>([
    [['--pack', './none.js'], /unknown pack \.\/none\.js/],
    [['--pack', 'a2a-tck-pack-none'], /unknown pack a2a-tck-pack-none/],
    [
      ['--pack', './timestamp.js', '--pack-option', 'timestamp.skw=1'],
      /has no option timestamp\.skw\n.*did you mean skew/,
    ],
    [['--pack', './timestamp.js', '--pack-option', 'shop.key=1'], /shop\.key is an option of no loaded pack/],
    [['--pack', './timestamp.js', '--pack-option', 'hunter2'], /not of the form <pack>\.<name>=<value>/],
    [['--pack', './secret.js', '--pack-option', 'shop.key=hunter2'], /shop\.key is a secret\n.*--pack-secret-env/],
    [['--pack', './secret.js', '--pack-secret-env', 'shop.key=NO_SUCH'], /no such environment variable/],
    [['--pack', './timestamp.js', '--once'], /--once does not go together with --pack/],
  ])('asked as %s', async ([args, sentence]) => {
    put('secret.js', pack('options: { key: { about: "a", secret: true } },'));
    const { code, err } = await kit(['prove', ...args]);
    expect(err).toMatch(sentence);
    expect(err).not.toContain('hunter2');
    expect(code).toBe(2);
  });
});

test('a pack of a package is found by its name, and a secret that it sends is in no output', async () => {
  put('node_modules/a2a-tck-shop/package.json', '{ "type": "module", "exports": { ".": { "import": "./main.js" } } }');
  put(
    'node_modules/a2a-tck-shop/main.js',
    pack(`options: { key: { about: 'a', secret: true } },
      rules: ({ option }) => [check('shop/said', 'shop.said')
        .when('it is asked', (scene) => scene.client.call('send', { message: scene.say('key ' + option('key')) }))
        .expects('keep it', (outcome) => JSON.stringify(outcome.value)).advice('Keep it.')],`),
  );
  const args = [
    'demo',
    '--pack',
    'a2a-tck-shop',
    '--suite',
    'shop',
    '--json',
    '--pack-secret-env',
    'shop.key=SHOP_KEY',
  ];
  const { out, err, code } = await kit(args, { SHOP_KEY: 'sesame-open-4711' });
  const [check] = (JSON.parse(out) as Report).checks;
  expect(check).toMatchObject({ id: 'shop/said', verdict: 'fail' });
  expect(out + err).toContain('key ');
  expect(out + err).not.toContain('sesame-open');
  expect(code).toBe(1);
});
