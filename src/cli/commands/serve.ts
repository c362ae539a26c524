import type { SqliteArchive } from '../../reference/archive-sqlite.js';
import { interrupted } from '../interruption.js';
import type { Casting } from '../reference-agent.js';
import type { Terminal } from '../terminal.js';

export interface ServeArguments extends Casting {
  readonly profile?: string;
  readonly port?: number;
  readonly host?: string;
  readonly data?: string;
}

/** The first line on stdout is the base URL; all else is for people and goes to stderr. */
export async function serveCommand(
  { profile, port = 0, host = '127.0.0.1', data, ...casting }: ServeArguments,
  terminal: Terminal,
): Promise<number> {
  const { chosenDialect } = await import('../named.js');
  const dialect = chosenDialect(profile);
  const { cast, serve } = await import('../reference-agent.js');
  const archive = data === undefined ? undefined : await archiveIn(data);
  const agent = cast(dialect, casting, archive);
  const served = await serve(agent.resident, { port, host });
  const ended = interrupted(terminal);
  terminal.out(`${served.url}\n`);
  const special = agent.about.map((line) => `  ${line}\n`).join('');
  terminal.err(`The reference agent, ${dialect.title}. Ctrl-C ends it.\n${special}`);
  await ended;
  agent.stop();
  await served.close();
  archive?.close();
  return 0;
}

async function archiveIn(file: string): Promise<SqliteArchive> {
  const { sqliteArchive } = await import('../../reference/archive-sqlite.js');
  return sqliteArchive(file);
}
