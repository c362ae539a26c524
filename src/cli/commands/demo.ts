import { charges, surroundings, tillFor, together } from '../../../packs/index.js';
import type { CliArguments } from '../cli-options.js';
import type { Casting } from '../reference-agent.js';
import type { Terminal } from '../terminal.js';

/** Signed calls in a minute: with the usual 20 a demo would mostly wait. */
const demoRate = 180;

/** Runs the suites on the reference agent over a real socket, as on any agent. */
export async function demoCommand(
  given: CliArguments & Omit<Casting, 'impostor'>,
  terminal: Terminal,
): Promise<number> {
  const { fault, variant, preset, ...rest } = given;
  const { startThreadAhead } = await import('../../isolation/index.js');
  startThreadAhead();
  const { readSettings } = await import('../settings.js');
  const settings = await readSettings({ ...rest, config: rest.config ?? false }, terminal);
  const { chosenDialect, targetPacks } = await import('../named.js');
  const dialect = chosenDialect(settings.target.profile, settings.target.binding);
  const { cast, serve } = await import('../reference-agent.js');
  const { realClock } = await import('../../wire/index.js');
  const around = await surroundings(dialect, realClock, { rate: demoRate });
  const { binding } = settings.target;
  const casting = {
    everyBinding: binding === 'all' || binding === 'auto',
    ...(fault === undefined ? {} : { fault }),
    ...(variant === undefined ? {} : { variant }),
    ...(preset === undefined ? {} : { preset }),
  };
  const till = charges(settings.target) ? await tillFor(dialect, realClock) : undefined;
  const packs = await targetPacks(settings.target);
  const agent = cast(dialect, casting, { around, till, packs });
  const served = await serve(agent.resident, {});
  try {
    const { runAndReport } = await import('../run-and-report.js');
    const target = { ...settings.target, binding: settings.target.binding ?? dialect.binding.id };
    const { headers = [], query = [], secondHeaders = [], secondQuery = [] } = agent.variant ?? {};
    const callers = {
      headers: [...(target.headers ?? []), ...headers],
      query: [...(target.query ?? []), ...query],
      secondHeaders: [...(target.secondHeaders ?? []), ...secondHeaders],
      secondQuery: [...(target.secondQuery ?? []), ...secondQuery],
      ...(around === undefined ? {} : together(around.callers(agent.variant?.told), target)),
      ...till?.callers(agent.variant, settings.target),
    };
    const special = agent.about.map((line) => `  ${line}\n`).join('');
    const preface = `Demo: the suites run on the kit's own reference agent. For yours: a2a-tck --url <its URL>\n${special}\n`;
    const restart = target.restart ?? (async () => agent.restart());
    const occasion = { callers, preface, restart };
    return await runAndReport(
      agent.variant?.cardUrl?.(served.url) ?? served.url,
      { ...settings, target },
      terminal,
      occasion,
    );
  } finally {
    agent.stop();
    await served.close();
  }
}
