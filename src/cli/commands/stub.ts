import { suggestion } from '../../model/nearest.js';
import { TckError } from '../../model/tck-error.js';
import type { Served } from '../../reference/index.js';
import type { Carrier } from '../../wire/index.js';
import { interrupted } from '../interruption.js';
import type { Terminal } from '../terminal.js';

export interface StubArguments {
  readonly profile?: string;
  /** The stub of agents that charge, whatever their profile. */
  readonly x402?: boolean;
  readonly port?: number;
  readonly controlPort?: number;
  readonly host?: string;
  readonly chainId?: string;
}

/** A service that an agent depends on, and the control with which a test steers it. */
interface Stub {
  readonly service: Carrier;
  readonly control: Carrier;
  /** For people: what it is and what to do with it, one line each. */
  about(urls: { readonly service: string; readonly control: string }): readonly string[];
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
  const { stubFor } = await import('../../../packs/index.js');
  const { realClock } = await import('../../wire/index.js');
  const known = [...dialects.filter(({ signed }) => signed !== undefined).map(({ id }) => id as string), 'x402'];
  const list = `stubs: ${known.join(', ')}`;
  const { profile = given.x402 ? 'x402' : undefined } = given;
  if (profile === undefined) throw new TckError('usage', 'which stub? --profile is missing', list);
  if (given.x402 && profile !== 'x402') {
    throw new TckError(
      'usage',
      `--x402 and --profile ${profile} are two stubs`,
      'start one of them, or each by itself',
    );
  }
  if (profile === 'x402') return facilitatorStub(given);
  const dialect = dialects.find(({ id }) => id === profile);
  const stub = dialect && (await stubFor(dialect, realClock, given));
  if (stub === undefined)
    throw new TckError('usage', `no stub exists for ${profile}`, suggestion(profile, known, list));
  return stub;
}

/** A stub of the facilitator that agents ask about payments. */
async function facilitatorStub({ chainId }: StubArguments): Promise<Stub> {
  const { createFacilitator, facilitatorControlHandle } = await import('../../reference/index.js');
  const { realClock } = await import('../../wire/index.js');
  const { caip2Of, tokens } = await import('../../x402/index.js');
  if (chainId !== undefined) throw new TckError('usage', '--chain-id is for the stub of a chain', 'leave it out');
  const { handle, control } = createFacilitator({ clock: realClock });
  return {
    service: handle,
    control: facilitatorControlHandle(control),
    about: (urls) => [
      'A stub of an x402 facilitator, and its control. Ctrl-C ends it.',
      `  1. start the agent with ${urls.service} as its facilitator, at one of the tokens below`,
      `  2. a2a-tck --url <agent> --x402 --x402-stub ${urls.control}`,
      'It moves play money only, on no chain. Tokens:',
      ...tokens.map(({ chainId: id, asset, name }) => `  ${caip2Of(id).padEnd(15)} ${asset}  ${name}`),
    ],
  };
}
