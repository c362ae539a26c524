import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { nearest } from '../model/nearest.js';
import { readConfig } from './config.js';
import { credentialHeaders, credentialQuery } from './credentials.js';
import { readOutputs } from './output.js';
import { budget, integer, list, percent } from './run-options.js';
import { readSettings, resolveSettings } from './settings.js';

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-'));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('values', () => {
  test.each(['abc', '', '-1', '1e3', '0x10', '1.5', ' 7', '0', '601'])(
    '%j is not a whole number from 1 to 600',
    (text) => {
      expect(() => integer(1, 600)(text)).toThrow('whole number');
    },
  );
  test.each(['101', '-1', 'x', ''])('%j is not a percentage', (text) => {
    expect(() => percent(text)).toThrow('0 to 100');
  });
  test.each(['', 'requests', 'requests=x', 'tasks=1,tasks=2', 'requests=1,', 'money=3'])(
    '%j is not a budget',
    (text) => {
      expect(() => budget(text)).toThrow('requests=500');
    },
  );
  test('good ones', () => {
    expect(integer(0, 600)('600')).toBe(600);
    expect(percent('99.5')).toBe(99.5);
    expect(budget('tasks=0,requests=50')).toEqual({ tasks: 0, requests: 50 });
    expect(list('b, c', ['a'])).toEqual(['a', 'b', 'c']);
    expect(() => list('a,,b')).toThrow('list');
  });
});

describe('outputs', () => {
  test('the console has stdout unless another format takes it', () => {
    const stdout = (reports: readonly string[], json = false) => readOutputs(reports, json)[0];
    expect(stdout([])).toEqual({ format: 'console', file: undefined });
    expect(stdout(['junit=a.xml'])).toEqual({ format: 'console', file: undefined });
    expect(stdout(['ndjson'])).toEqual({ format: 'ndjson', file: undefined });
    expect(stdout(['junit=a.xml'], true)).toEqual({ format: 'json', file: undefined });
    expect(readOutputs(['junit=a=b.xml'], false)[1]).toEqual({ format: 'junit', file: 'a=b.xml' });
  });
  test.each([
    [['jsn'], 'is not a format'],
    [['json='], 'names no file'],
    [['json', 'junit'], 'both go to stdout'],
    [['json=a', 'junit=./a'], 'same file'],
  ])('%j is refused', (reports, message) => {
    expect(() => readOutputs(reports, false)).toThrow(message);
  });
});

describe('credentials', () => {
  test('headers and a bearer token from the environment', () => {
    expect(credentialHeaders(['X-Key: a: b'], 'TOKEN', { TOKEN: ' t0ken\n' })).toEqual([
      ['X-Key', 'a: b'],
      ['Authorization', 'Bearer t0ken'],
    ]);
  });
  test('parameters of the URL from the environment', () => {
    expect(credentialQuery(['api_key=KEY'], { KEY: 'k&y' })).toEqual([['api_key', 'k&y']]);
    for (const bad of ['api_key', '=KEY', 'api_key=', 'api_key=sesame-secret', 'api key=KEY']) {
      expect(() => credentialQuery([bad], { KEY: 'k' })).toThrow(/^(?!.*sesame)/s);
    }
    expect(() => credentialQuery(['api_key=NONE'], {})).toThrow('--query-env NONE');
  });
  test('errors name the option of the second caller', () => {
    expect(() => credentialHeaders(['sesame'], undefined, {}, 'second-')).toThrow('--second-header');
    expect(() => credentialHeaders([], 'TOKEN', {}, 'second-')).toThrow('--second-bearer-env TOKEN');
    expect(() => credentialQuery(['x'], {}, 'second-')).toThrow('--second-query-env');
  });
  test('errors never quote a value', () => {
    for (const bad of [
      'sesame-secret',
      'bad name: sesame-secret',
      'X-Key: sesame-secret\r\nX-B: 1',
      ': sesame-secret',
    ]) {
      expect(() => credentialHeaders([bad], undefined, {})).toThrow(/^(?!.*sesame)/s);
    }
    expect(() => credentialHeaders([], 'TOKEN', {})).toThrow('TOKEN');
    expect(() => credentialHeaders([], 'TOKEN', { TOKEN: '' })).toThrow('TOKEN');
  });
});

describe('settings', () => {
  test('arguments win over the configuration, the configuration over the defaults', async () => {
    const config = file(
      'ok.yaml',
      'url: http://a.test\ntimeout: 50\nsuite: task\nseed: 4\nmin-proof: 80\nread-only: true\n',
    );
    const { url, target } = await readSettings({ config, timeout: 60 }, { env: {}, err: () => undefined });
    expect(url).toBe('http://a.test');
    expect(target).toMatchObject({
      timeoutMs: 60,
      suites: ['task'],
      seed: 4,
      minProof: 80,
      readOnly: true,
      profile: 'auto',
    });
  });
  test('JSON is read as well, and a text stands for a behaviour', async () => {
    const config = file(
      'ok.json',
      JSON.stringify({ behaviours: { failed: 'Fail!', message: { text: 'Hi' } }, budget: { tasks: 3 } }),
    );
    expect(await readConfig(config)).toEqual({
      behaviours: { failed: { text: 'Fail!' }, message: { text: 'Hi' } },
      budget: { tasks: 3 },
    });
  });
  test('an empty file says nothing', async () => {
    expect(await readConfig(file('empty.yaml', ''))).toEqual({});
  });
  test.each([
    ['timout: 5', 'unknown key "timout" (did you mean timeout?)'],
    ['behaviours: { faild: x }', 'unknown key "behaviours.faild" (did you mean failed?)'],
    ['timeout: soon', '"timeout" must be integer'],
    ['timeout: 0', '"timeout" must be >= 1'],
    ['level: shall', '"level" must be one of must, should, may'],
    ['header: { X-Key: sesame }', '"header"'],
    ['- a', 'must be object'],
    ['a: [', 'neither YAML nor JSON'],
  ])('%j is refused in one sentence', async (text, message) => {
    const error = await readConfig(file('bad.yaml', text)).then(String, String);
    expect(error).toContain(message);
    expect(error).not.toMatch(/\n|sesame/);
  });
  test('a missing file is reported', async () => {
    await expect(readConfig(join(folder, 'none.yaml'))).rejects.toThrow('the file does not exist');
  });
  test('what does not go together is refused', () => {
    expect(() => resolveSettings({ updateBaseline: true }, {})).toThrow('--baseline');
    expect(() => resolveSettings({ updateBaseline: true, baseline: 'b', check: ['a'] }, {})).toThrow('all checks');
    expect(() => resolveSettings({ url: 'http://user:pw@a.test' }, {})).toThrow(/^(?!.*pw)/s);
    expect(() => resolveSettings({ allowOrigin: ['a.test'] }, {})).toThrow('--allow-origin');
  });
});

test('close names are found, far ones are not', () => {
  const known = ['task/cancel-terminal', 'task/get', 'rpc/id-echoed'];
  expect(nearest('task/cancel-terminl', known)).toEqual(['task/cancel-terminal']);
  expect(nearest('cancel', known)).toEqual(['task/cancel-terminal']);
  expect(nearest('frobnicate', known)).toEqual([]);
});
