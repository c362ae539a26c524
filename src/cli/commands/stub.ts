import { chargingStub, stubFor } from '../../../packs/index.js';
import { charging } from '../../../packs/options.js';
import { suggestion } from '../../model/nearest.js';
import { TckError } from '../../model/tck-error.js';
import type { Served } from '../../reference/index.js';
import type { Stub } from '../../reference/patching.js';
import { interrupted } from '../interruption.js';
import type { Terminal } from '../terminal.js';

export interface StubArguments {
  readonly profile?: string;
  /** The stub of agents that charge, whatever their profile. */
  readonly charges?: boolean;
  readonly port?: number;
  readonly controlPort?: number;
  readonly host?: string;
  readonly chainId?: string;
}

/** The first line on stdout is the URL of the stub, the second `control <url>`; all else is for people, on stderr. */
export async function stubCommand(given: StubArguments, terminal: Terminal): Promise<number> {
  const { host = '127.0.0.1', port = 0, controlPort = 0 } = given;
  const stub = await stubOf(given);
  const { serve } = await import('../reference-agent.js');
  const service = await serve(() => stub.service, { port, host });
  let control: Served;
  try {
    control = await serve(() => stub.control, { port: controlPort, host });
  } catch (error) {
    await service.close();
    throw error;
  }
  const ended = interrupted(terminal);
  terminal.out(`${service.url}\ncontrol ${control.url}\n`);
  const about = stub.about({ service: service.url, control: control.url });
  terminal.err(about.map((line) => `${line}\n`).join(''));
  await ended;
  await Promise.all([service.close(), control.close()]);
  return 0;
}

async function stubOf(given: StubArguments): Promise<Stub> {
  const { dialects } = await import('../../dialect/index.js');
  const { realClock } = await import('../../wire/index.js');
  const known = [...dialects.filter(({ signed }) => signed !== undefined).map(({ id }) => id as string), charging.pack];
  const list = `stubs: ${known.join(', ')}`;
  const { profile = given.charges ? charging.pack : undefined } = given;
  if (profile === undefined) throw new TckError('usage', 'which stub? --profile is missing', list);
  if (given.charges && profile !== charging.pack) {
    throw new TckError(
      'usage',
      `${charging.option} and --profile ${profile} are two stubs`,
      'start one of them, or each by itself',
    );
  }
  if (profile === charging.pack) return chargingStub(realClock, given);
  const dialect = dialects.find(({ id }) => id === profile);
  const stub = dialect && (await stubFor(dialect, realClock, given));
  if (stub === undefined)
    throw new TckError('usage', `no stub exists for ${profile}`, suggestion(profile, known, list));
  return stub;
}
