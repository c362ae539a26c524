import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { workflowText } from '../src/setup/index.js';

// The workflows of this repository and its action run nothing that another person can exchange, nor do those that the
// kit writes or shows.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The workflow that `init` writes, by a name of its own. */
const written = 'what init writes';
const textOf = (name: string): string =>
  name === written ? workflowText('github', '0.0.0', []) : readFileSync(join(root, name), 'utf8');
const workflows = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);
const files = [...workflows, 'action.yml', written];

/** Values of `uses:` with the comment behind them. */
const usesOf = (name: string): readonly (readonly [action: string, ref: string, comment: string])[] =>
  [...textOf(name).matchAll(/^\s*(?:- )?uses:\s*(\S+)(.*)$/gm)].map(([, used = '', comment = '']) => {
    const at = used.lastIndexOf('@');
    return at < 0 ? [used, '', comment.trim()] : [used.slice(0, at), used.slice(at + 1), comment.trim()];
  });

/** The texts of `run` anywhere in a document. */
function scriptsOf(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, inner]) =>
    key === 'run' && typeof inner === 'string' ? [inner] : scriptsOf(inner),
  );
}

test('there is one for changes, one for the night and one for releases', () => {
  expect(workflows.map((name) => name.split('/').at(-1)).sort()).toEqual(['ci.yml', 'nightly.yml', 'release.yml']);
});

describe.each(files)('%s', (name) => {
  test('every action is pinned by a digest, with its version beside it', () => {
    const uses = usesOf(name);
    expect(uses.length).toBeGreaterThan(1);
    expect(
      uses.filter(([, ref, comment]) => !/^[0-9a-f]{40}$/.test(ref) || !/^# v\d+\.\d+\.\d+$/.test(comment)),
    ).toEqual([]);
  });

  test('no script contains an expression', () => {
    const scripts = scriptsOf(parse(textOf(name)));
    expect(scripts.length).toBeGreaterThan(name === written ? 0 : 1);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });
});

/** Guides show whole workflows. The action of the kit itself stands there by the version of the guide. */
const guides = readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []));
const shown = [...guides, 'README.md'].flatMap(usesOf).filter(([action]) => action !== 'a2a-tck/a2a-tck');

test('guides show actions pinned alike', () => {
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.filter(([, ref, comment]) => !/^[0-9a-f]{40}$/.test(ref) || !/^# v\d/.test(comment))).toEqual([]);
});

test('one version of each action is used everywhere', () => {
  const refs = new Map<string, Set<string>>();
  for (const [action, ref] of [...files.flatMap(usesOf), ...shown])
    refs.set(action, (refs.get(action) ?? new Set()).add(ref));
  expect([...refs].filter(([, some]) => some.size > 1)).toEqual([]);
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } };
  readonly steps: readonly { readonly run?: string; readonly with?: Readonly<Record<string, unknown>> }[];
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
const read = (name: string): Workflow => parse(textOf(`.github/workflows/${name}`)) as Workflow;

test('workflows may read, and only the job that publishes may more', () => {
  for (const name of workflows) {
    const { permissions, jobs } = parse(textOf(name)) as Workflow;
    expect(permissions, name).toEqual({ contents: 'read' });
    const more = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
    expect(more.map(([id]) => id)).toEqual(name.endsWith('/release.yml') ? ['publish'] : []);
  }
  expect(read('release.yml').jobs['publish']?.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
});

test('changes are tested on the oldest Node that is supported, and on every even one since', () => {
  const { engines } = JSON.parse(textOf('package.json')) as { readonly engines: { readonly node: string } };
  const versions = read('ci.yml').jobs['test']?.strategy?.matrix.node;
  expect(versions).toEqual(['20.19', '22', '24', '26']);
  expect(engines.node).toBe(`>=${versions?.[0]}`);
});

test('what they run is there', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const lines = workflows.flatMap((name) =>
    Object.values((parse(textOf(name)) as Workflow).jobs).flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run)),
  );
  const named = lines.flatMap((run) => [...run.matchAll(/^npm (?:run )?([\w:]+)$/gm)].map(([, script = '']) => script));
  expect(named).toContain('test:all');
  expect(named.filter((name) => !['ci', 'publish'].includes(name) && !(name in scripts))).toEqual([]);
  const called = lines.flatMap((run) => [...run.matchAll(/\bnode (scripts\/[\w.-]+)/g)].map(([, file = '']) => file));
  expect(called.length).toBeGreaterThan(1);
  for (const file of called) expect(textOf(file).length).toBeGreaterThan(0);
});
