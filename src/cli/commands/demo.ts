import type { GivenArguments } from '../given.js';
import type { Casting } from '../reference-agent.js';
import type { Terminal } from '../terminal.js';

/** The suites on the reference agent over a real socket: the same way as any agent goes. */
export async function demoCommand(
  given: GivenArguments & Omit<Casting, 'impostor'>,
  terminal: Terminal,
): Promise<number> {
  const { fault, variant, preset, ...rest } = given;
  const { readSettings } = await import('../settings.js');
  const settings = await readSettings(rest, terminal.env);
  const { chosenDialect } = await import('../named.js');
  const dialect = chosenDialect(settings.target.profile);
  const { cast, serve } = await import('../reference-agent.js');
  const { demoRate, surroundings } = await import('../signed-agent.js');
  const around = await surroundings(dialect);
  const casting = {
    ...(fault === undefined ? {} : { fault }),
    ...(variant === undefined ? {} : { variant }),
    ...(preset === undefined ? {} : { preset }),
  };
  const agent = cast(dialect, casting, { chain: around?.chain, rateLimit: demoRate });
  const served = await serve(agent.resident, {});
  try {
    const { judge } = await import('../judging.js');
    const { target } = settings;
    const { headers = [], query = [], secondHeaders = [], secondQuery = [] } = agent.variant ?? {};
    const callers = {
      headers: [...(target.headers ?? []), ...headers],
      query: [...(target.query ?? []), ...query],
      secondHeaders: [...(target.secondHeaders ?? []), ...secondHeaders],
      secondQuery: [...(target.secondQuery ?? []), ...secondQuery],
      ...(around === undefined ? {} : { xpr: { ...around.callers, ...agent.variant?.xpr, ...target.xpr } }),
    };
    const special = agent.about.map((line) => `  ${line}\n`).join('');
    const preface = `Demo: the suites run on the kit's own reference agent. For yours: a2a-tck --url <its URL>\n${special}\n`;
    const restart = target.restart ?? (async () => agent.restart());
    const occasion = { callers, preface, restart };
    return await judge(agent.variant?.cardUrl?.(served.url) ?? served.url, settings, terminal, occasion);
  } finally {
    agent.stop();
    await served.close();
  }
}
