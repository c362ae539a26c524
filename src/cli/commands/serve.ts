import type { Surroundings } from '../../../packs/index.js';
import type { BindingId } from '../../binding/index.js';
import { checkPlace, whyOf } from '../../files/index.js';
import { TckError } from '../../model/tck-error.js';
import type { SqliteArchive } from '../../reference/archive-sqlite.js';
import type { Facilitator } from '../../reference/index.js';
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
  readonly x402?: boolean;
}

/** Limits of an agent that runs for days and to which any client may send anything. */
const most = { tasks: 10_000, size: 64 * 1024 * 1024 };

/** The first line on stdout is the base URL; all else is for people and goes to stderr. */
export async function serveCommand(
  { profile, binding, port = 0, host = '127.0.0.1', data, x402 = false, ...casting }: ServeArguments,
  terminal: Terminal,
): Promise<number> {
  const { chosenDialect } = await import('../named.js');
  const dialect = chosenDialect(profile, binding);
  const { cast, serve } = await import('../reference-agent.js');
  const archive = data === undefined ? undefined : await archiveIn(data);
  const { surroundings } = await import('../../../packs/index.js');
  const { realClock } = await import('../../wire/index.js');
  const around = await surroundings(dialect, realClock);
  const { facilitatorFor } = await import('../charging-agent.js');
  const facilitator = facilitatorFor(dialect, x402);
  const agent = cast(
    dialect,
    { ...casting, everyBinding: binding === 'all' },
    {
      ...(archive === undefined ? {} : { archive }),
      around,
      facilitator,
      most,
    },
  );
  const served = await serve(agent.resident, { port, host });
  const behind = [
    ...(around === undefined ? [] : [await besides(around, host)]),
    ...(facilitator === undefined ? [] : [await till(facilitator, served.url, host)]),
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

/** The service that the agent asks about its callers, and its control, on ports of their own. */
async function besides({ service, control, about }: Surroundings, host: string) {
  const { serve } = await import('../reference-agent.js');
  const node = await serve(() => service, { host });
  const desk = await serve(() => control, { host });
  return { served: [node, desk], about: about({ service: node.url, control: desk.url }) };
}

/** The facilitator of an agent that charges, and its control, on ports of their own. */
async function till(facilitator: Facilitator, agentUrl: string, host: string) {
  const { facilitatorControlHandle } = await import('../../reference/index.js');
  const { serve } = await import('../reference-agent.js');
  const desk = await serve(() => facilitator.handle, { host });
  const control = await serve(() => facilitatorControlHandle(facilitator.control), { host });
  return {
    served: [desk, control],
    about: [
      `  the facilitator that it settles through: ${desk.url}`,
      `  its control: ${control.url}`,
      'Messages that begin with paid-echo cost play money, which exists nowhere else. To judge it:',
      `  a2a-tck --url ${agentUrl} --x402 --x402-stub ${control.url}`,
      `  a2a-tck --url ${agentUrl} --x402    without money, as with any agent`,
    ],
  };
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
