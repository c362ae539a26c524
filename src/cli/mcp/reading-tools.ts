import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type DocumentKind, documentKinds, judgeDocument, mostBytes } from '../../document/index.js';
import { readIdentity } from '../../endpoint/identity.js';
import { TckError } from '../../model/tck-error.js';
import { plural } from '../../wire/text/text.js';
import { fromFile } from '../document-source.js';
import { namedDialect } from '../named.js';
import { silentTerminal } from '../terminal.js';
import { type Answer, foreignData, foreignText, notice, type Tool } from './tool.js';

const profile = { type: 'string', maxLength: 60, description: 'for this version; the tool list names them' };

interface ValidateInput {
  readonly text?: string;
  readonly file?: string;
  readonly as?: DocumentKind;
  readonly profile?: string;
  readonly strict?: boolean;
}

/** Characters of a text; longer documents are given as files. */
const longestText = 1024 * 1024;
const mostFaults = 50;

/**
 * The bytes of a file in the folder of the server. The server refuses others: data of an agent may have made the client
 * ask for them.
 */
function bytesOf(file: string): Uint8Array {
  const here = realpathSync(process.cwd());
  let real: string;
  try {
    real = realpathSync(resolve(here, file));
  } catch {
    return fromFile(file, mostBytes).bytes;
  }
  const inside = relative(here, real);
  if (isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`))
    throw new TckError(
      'usage',
      `${file} is outside the folder of the server`,
      'give a file inside it, or the document as text',
    );
  return fromFile(real, mostBytes).bytes;
}

async function validate({ text, file, as, profile, strict = false }: ValidateInput): Promise<Answer> {
  const { rules } = await import('../../../suites/index.js');
  const bytes = file === undefined ? new TextEncoder().encode(text ?? '') : bytesOf(file);
  const source = file ?? 'the text';
  const judged = judgeDocument({ bytes, source, as, profile, strict, kit: readIdentity(), rules });
  const { document, passed, summary } = judged;
  const shown = judged.faults.slice(0, mostFaults);
  const leftOut = judged.faults.length - shown.length + judged.more;
  const head = `${passed ? 'PASSED' : 'FAILED'}: ${plural(summary.must, 'fault')} of a MUST, ${summary.should} of a SHOULD`;
  const lines = shown.map(
    ({ level, line, column, requirement, statement }) =>
      `- ${level.toUpperCase()} line ${line}:${column}${requirement === undefined ? '' : ` ${requirement}`}${statement === undefined ? '' : `: ${statement}`}`,
  );
  const foreign = [
    `judged as ${document.title}: ${document.because}`,
    ...shown.map(
      ({ line, pointer, problem, fix }) => `line ${line}: ${pointer} ${problem}${fix === undefined ? '' : `; ${fix}`}`,
    ),
    ...judged.notes.slice(0, mostFaults).map((note) => `note, line ${note.line}: ${note.text}`),
  ];
  return {
    text: [
      head,
      ...lines,
      ...(leftOut === 0 ? [] : [`and ${plural(leftOut, 'more fault')}`]),
      foreignText(foreign),
    ].join('\n'),
    data: {
      notice,
      passed,
      kind: document.kind,
      profile: document.profile,
      summary,
      faults: shown.map(({ pointer, problem, seen, fix, ...ours }) => ({
        ...ours,
        foreign: foreignData({ pointer, problem, seen, fix }),
      })),
      leftOut,
    },
  };
}

const validateTool: Tool = {
  name: 'validate',
  title: 'Judge a document',
  description:
    'Judges an agent card, task, message or other document of A2A without an agent, and names each fault with its line and the sentence of the specification.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      text: { type: 'string', maxLength: longestText, description: 'the document as JSON text' },
      file: { type: 'string', minLength: 1, maxLength: 1000, description: 'or its file, in the folder of the server' },
      as: { enum: documentKinds, description: 'its kind; left out: it is found out' },
      profile,
      strict: { type: 'boolean', description: 'a fault of a SHOULD counts too' },
    },
    oneOf: [{ required: ['text'] }, { required: ['file'] }],
  },
  readsOnly: true,
  call: (input) => validate(input as ValidateInput),
};

async function explain({ id, profile: given }: { id: string; profile?: string }): Promise<Answer> {
  const { explainCommand } = await import('../commands/explain.js');
  const terminal = silentTerminal();
  await explainCommand(id, given === undefined ? {} : { profile: given }, terminal);
  return { text: terminal.said(), data: { id, text: terminal.said() } };
}

const explainTool: Tool = {
  name: 'explain',
  title: 'Explain a check',
  description:
    'What a check or a requirement wants: its sentence in the specification, its story, and what to do when it fails.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: {
      id: {
        type: 'string',
        minLength: 1,
        maxLength: 120,
        description: 'such as task/cancel-terminal-refused or A2A10-GET-020',
      },
      profile,
    },
  },
  readsOnly: true,
  call: (input) => explain(input as { id: string; profile?: string }),
};

interface ListInput {
  readonly what: 'checks' | 'suites' | 'profiles';
  readonly profile?: string;
  readonly suite?: string;
  readonly most?: number;
}
interface ListedRow {
  readonly id: string;
  readonly suite?: string;
  readonly level?: string;
  readonly title?: string;
  readonly checks?: number;
}

async function list({ what, profile: given, suite, most = 100 }: ListInput): Promise<Answer> {
  const { listCommand } = await import('../commands/list.js');
  namedDialect(given);
  const terminal = silentTerminal();
  await listCommand(what, { json: true, ...(given === undefined ? {} : { profile: given }) }, terminal);
  const all = (JSON.parse(terminal.said()) as readonly ListedRow[]).filter(
    (listedRow) => suite === undefined || listedRow.suite === suite,
  );
  if (all.length === 0)
    throw new TckError('usage', `unknown suite ${suite ?? ''}`, 'the tool list names the suites: what = suites');
  const shown = all.slice(0, most).map(({ id, level, title, checks }) => ({ id, level, title, checks }));
  const leftOut = all.length - shown.length;
  const lines = shown.map(({ id, level, title, checks }) =>
    [level?.toUpperCase(), id, title, checks === undefined ? undefined : plural(checks, 'check')]
      .filter((text) => text !== undefined)
      .join('  '),
  );
  const more = leftOut === 0 ? [] : [`and ${leftOut} more: name a suite, or set most`];
  return { text: [...lines, ...more].join('\n'), data: { [what]: shown, leftOut } };
}

const listTool: Tool = {
  name: 'list',
  title: 'List checks, suites or profiles',
  description: 'The checks of a profile, perhaps of one suite; the suites; or the profiles, which are versions of A2A.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['what'],
    properties: {
      what: { enum: ['checks', 'suites', 'profiles'] },
      profile,
      suite: { type: 'string', minLength: 1, maxLength: 60, description: 'of checks: only this suite' },
      most: { type: 'integer', minimum: 1, maximum: 1000, description: 'how many lines; default 100' },
    },
  },
  readsOnly: true,
  call: (input) => list(input as ListInput),
};

/** The tools that send nothing. */
export const readingTools: readonly Tool[] = [validateTool, explainTool, listTool];
