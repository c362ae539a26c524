import { surroundings, tillFor } from '../../../packs/index.js';
import type { BindingId } from '../../binding/index.js';
import { checkPlace, whyOf } from '../../files/index.js';
import { TckError } from '../../model/tck-error.js';
import type { SqliteArchive } from '../../reference/archive-sqlite.js';
import type { Stub } from '../../reference/patching.js';
import { interrupted } from '../interruption.js';
import type { Casting } from '../reference-agent.js';
import type { Terminal } from '../terminal.js';

export interface ServeArguments extends Casting {
  readonly profile?: string;
  readonly binding?: BindingId | 'all';
  readonly port?: number;
  readonly host?: string;
  readonly data?: string;
  /** The agent charges. */
  readonly charges?: boolean;
}

/** Limits of an agent that runs for days and to which any client may send anything. */
const most = { tasks: 10_000, size: 64 * 1024 * 1024 };

/** The first line on stdout is the base URL; all else is for people and goes to stderr. */
export async function serveCommand(
  { profile, binding, port = 0, host = '127.0.0.1', data, charges = false, ...casting }: ServeArguments,
  terminal: Terminal,
): Promise<number> {
  const { chosenDialect } = await import('../named.js');
  const dialect = chosenDialect(profile, binding);
  const { cast, serve } = await import('../reference-agent.js');
  const archive = data === undefined ? undefined : await archiveIn(data);
  const { realClock } = await import('../../wire/index.js');
  const around = await surroundings(dialect, realClock);
  const till = charges ? await tillFor(dialect, realClock) : undefined;
  const agent = cast(
    dialect,
    { ...casting, everyBinding: binding === 'all' },
    {
      ...(archive === undefined ? {} : { archive }),
      around,
      till,
      most,
    },
  );
  const served = await serve(agent.resident, { port, host });
  const behind = [
    ...(around === undefined ? [] : [await besides(around, served.url, host)]),
    ...(till === undefined ? [] : [await besides(till, served.url, host)]),
  ];
  const ended = interrupted(terminal);
  terminal.out(`${served.url}\n`);
  const special = agent.about.map((line) => `  ${line}\n`).join('');
  terminal.err(`The reference agent, ${dialect.title}. Ctrl-C ends it.\n${special}`);
  terminal.err(behind.flatMap(({ about }) => about.map((line) => `${line}\n`)).join(''));
  await ended;
  agent.stop();
  await Promise.all([served, ...behind.flatMap((item) => item.served)].map((item) => item.close()));
  archive?.close();
  return 0;
}

/** The service that the agent asks, and its control, on ports of their own. */
async function besides({ service, control, about }: Stub, agent: string, host: string) {
  const { serve } = await import('../reference-agent.js');
  const node = await serve(() => service, { host });
  const desk = await serve(() => control, { host });
  return { served: [node, desk], about: about({ service: node.url, control: desk.url, agent }) };
}

async function archiveIn(file: string): Promise<SqliteArchive> {
  try {
    checkPlace(file);
  } catch (error) {
    throw new TckError('usage', `--data ${file} cannot be used: ${whyOf(error)}`, 'give the path of an SQLite file');
  }
  const { sqliteArchive } = await import('../../reference/archive-sqlite.js');
  return sqliteArchive(file);
}
