import { styleText } from 'node:util';
import { jsonText } from '../../../reporters/index.js';
import type { Opened, Statement } from '../../attest/index.js';
import { readWithin } from '../../files/index.js';
import { isString } from '../../model/index.js';
import { TckError } from '../../model/tck-error.js';
import { createRedactor, plural, printable, proxyOfEnvironment } from '../../wire/index.js';
import { causeOf } from '../cause.js';
import { type Terminal, wantsColour } from '../terminal.js';

export interface VerifyArguments {
  readonly key: string;
  /** URL or file of an agent card that must be the one that was judged. */
  readonly card?: string;
  readonly passed?: boolean;
  readonly json?: boolean;
}

/** Bytes of a signed result, and of a key. */
const longest = 16 * 1024 * 1024;

function read(file: string): Uint8Array {
  try {
    return readWithin(file, longest);
  } catch (error) {
    throw new TckError('usage', `${file} cannot be read: ${causeOf(error)}`);
  }
}

/** The failures that the baseline of the run listed; older results name only those of checks. */
function knownIn({ predicate: { result, configuration, failedTests } }: Statement): readonly string[] {
  if (result === 'FAILED') return [];
  const known = configuration.find(({ name }) => name === 'baseline')?.annotations?.['known'];
  return Array.isArray(known) ? known.filter(isString) : failedTests;
}

/** Known failures named; the statement has all. */
const mostNamed = 12;

function statementText(statement: Statement): string {
  const { subject, predicate } = statement;
  const { result, configuration, passedTests, warnedTests, failedTests } = predicate;
  const names = configuration.map(({ uri }) => uri).filter((uri) => uri !== undefined);
  const started = configuration.find(({ name }) => name === 'report')?.annotations?.['startedAt'];
  const known = knownIn(statement);
  const more = known.length > mostNamed ? ` and ${known.length - mostNamed} more` : '';
  const rows = [
    ...(known.length === 0 ? [] : [['baseline', `${known.slice(0, mostNamed).join(', ')}${more}`]]),
    ['result', `${result}: ${passedTests.length} passed, ${warnedTests.length} warned, ${failedTests.length} failed`],
    ['agent card', `${subject[0]?.name} sha256:${subject[0]?.digest?.sha256}`],
    ['judged', `${String(started ?? 'at no known time')} by ${names.join(', ')}`],
  ];
  return rows.map(([name = '', text = '']) => `  ${name.padEnd(11)}${printable(text, 500)}\n`).join('');
}

/** The statement if all requested conditions hold, else the reason. */
async function judge(opened: Opened, { card, passed = false }: VerifyArguments, { env }: Terminal): Promise<Opened> {
  if (!opened.genuine) return opened;
  const { subject, predicate } = opened.statement;
  if (card !== undefined) {
    const { digestsOfCard } = await import('../card-document.js');
    const proxy = proxyOfEnvironment(env);
    const digests = await digestsOfCard(card, proxy === undefined ? {} : { proxy });
    if (!subject.some((resourceDescriptor) => digests.some((digest) => digest === resourceDescriptor.digest?.sha256))) {
      return { genuine: false, reason: `the card at ${createRedactor([]).url(card)} is not the one that was judged` };
    }
  }
  if (passed && predicate.result === 'FAILED')
    return { genuine: false, reason: 'it is genuine, and says that the run failed' };
  return opened;
}

/** What a result is worth in one line: a signature says nothing of failures that its owner accepted. */
function word(statement: Statement, colour: boolean): string {
  const known = knownIn(statement).length;
  if (known === 0) return 'GENUINE';
  const text = `GENUINE, with ${plural(known, 'known failure')}`;
  return colour ? styleText('yellow', text, { validateStream: false }) : text;
}

/** Returns 0 if the result is genuine and all requested conditions hold, 1 if it is refused. */
export async function verifyCommand(file: string, given: VerifyArguments, terminal: Terminal): Promise<number> {
  const { opened, readPublicKey } = await import('../../attest/index.js');
  const key = readPublicKey(Buffer.from(read(given.key)).toString('utf8'));
  const judged = await judge(opened(read(file), key), given, terminal);
  if (given.json === true) terminal.out(`${jsonText(judged, 2)}\n`);
  else if (judged.genuine)
    terminal.out(`${word(judged.statement, wantsColour(terminal))}\n${statementText(judged.statement)}`);
  else terminal.out(`REFUSED  ${printable(judged.reason)}\n`);
  return judged.genuine ? 0 : 1;
}
