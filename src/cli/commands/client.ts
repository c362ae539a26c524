import type { BindingId } from '../../binding/index.js';
import type { ClientOptions, ServedClients } from '../../clients/index.js';
import type { Level } from '../../model/index.js';
import { TckError } from '../../model/tck-error.js';
import type { Report, RunEvent } from '../../report/index.js';
import { shellWord } from '../../wire/text/curl.js';
import { interrupted, interruptible } from '../interruption.js';
import type { Terminal } from '../terminal.js';

export interface ClientArguments {
  readonly command?: string;
  readonly shell?: boolean;
  readonly stdin?: boolean;
  readonly serve?: boolean;
  readonly demo?: boolean;
  readonly fault?: readonly string[];
  readonly port?: number;
  readonly host?: string;
  readonly scenario?: readonly string[];
  readonly profile?: string;
  readonly binding?: BindingId;
  readonly suite?: readonly string[];
  readonly check?: readonly string[];
  readonly level?: Level;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly minProof?: number;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
  /** Id of a frozen set. */
  readonly set?: string;
  readonly report?: readonly string[];
  readonly json?: boolean;
  readonly badgeLink?: string;
  readonly strict?: boolean;
  readonly verbose?: boolean;
}

/** Judges a client: one that a command starts, one that comes by itself, or the kit's own. Returns the exit code. */
export async function clientCommand(given: ClientArguments, terminal: Terminal): Promise<number> {
  checkWays(given);
  const { readOutputs } = await import('../output.js');
  const { readBadgeLink } = await import('../badge-link.js');
  const { chosenDialect } = await import('../named.js');
  const { findBaseline, renewBaseline } = await import('../known-failures.js');
  const { publish } = await import('../rendering.js');
  const { loadSet } = await import('../../ledger/index.js');
  const { readIdentity } = await import('../../endpoint/identity.js');
  const clients = await import('../../clients/index.js');
  const { clientRules } = await import('../../../suites/clients/index.js');
  const { strict = false, verbose = false, minProof, timeout, concurrency, scenario = [], level = 'may' } = given;
  const outputs = readOutputs(given.report ?? [], given.json ?? false);
  const known = {
    baselineFile: given.baseline,
    updatesBaseline: given.updateBaseline ?? false,
    strict,
    target: { ...(minProof === undefined ? {} : { minProof }) },
  };
  const baseline = findBaseline(known);
  const options = {
    dialect: chosenDialect(given.profile, given.binding),
    rules: clientRules,
    scenarios: clients.scenarios,
    name: given.command ?? (given.serve === true ? 'a client that came by itself' : "the kit's own client"),
    way: wayOf(given),
    secrets: [
      ...clients.secretsInEnvironment(terminal.env),
      ...(given.command === undefined ? [] : clients.secretsInCommand(given.command)),
    ],
    selection: { suites: given.suite ?? [], checks: given.check ?? [], level },
    chosen: scenario,
    strict,
    minProof,
    kit: readIdentity(),
    ...(baseline === undefined ? {} : { baseline }),
    ...(given.set === undefined ? {} : { set: loadSet(given.set) }),
    ...(timeout === undefined ? {} : { patience: timeout / usualTimeout }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
  // Said before the kit opens any output.
  clients.planClients(options);
  const publication = publish(outputs, { verbose, strict, ...readBadgeLink(given.badgeLink) }, terminal);
  const tell = (event: RunEvent): void => {
    // `run.ended` is sent below, after the baseline is updated.
    if (event.type !== 'run.ended') publication.tell(event);
  };
  try {
    const judged =
      given.serve === true
        ? await served(given, options, terminal, tell)
        : await interruptible(
            terminal,
            async (signal) => {
              const start = await starting(given);
              return clients.runClients({ ...options, start, signal }, tell);
            },
            () => publication.discard(),
          );
    const report = known.updatesBaseline ? renewBaseline(judged, baseline, known, terminal) : judged;
    publication.tell({ type: 'run.ended', report });
    await publication.done();
    return report.gate.exitCode;
  } catch (error) {
    publication.discard();
    throw error;
  }
}

/** Ms that `--timeout` multiplies: the usual limit of one scenario. */
const usualTimeout = 15_000;

/** The options that run the same client again. */
const wayOf = ({ command, shell, stdin, serve, fault = [] }: ClientArguments): string =>
  command !== undefined
    ? `--command ${shellWord(command)}${shell === true ? ' --shell' : ''}${stdin === true ? ' --stdin' : ''}`
    : serve === true
      ? '--serve'
      : ['--demo', ...fault.map((id) => `--fault ${id}`)].join(' ');

/** One way to get at the client. Throws `TckError('usage')`. */
function checkWays(given: ClientArguments): void {
  const { command, serve = false, demo = false, fault = [], shell = false, stdin = false } = given;
  const ways = [command !== undefined && '--command', serve && '--serve', demo && '--demo'].filter(
    (item): item is string => typeof item === 'string',
  );
  if (ways.length > 1) throw new TckError('usage', `${ways.join(' and ')} do not go together`);
  if (ways.length === 0) {
    const hint = '--command "node client.js" starts yours, --serve waits for it, --demo shows the kit\'s own';
    throw new TckError('usage', 'no client is named', hint);
  }
  if (fault.length > 0 && !demo) throw new TckError('usage', '--fault needs --demo');
  if (shell && command === undefined) throw new TckError('usage', '--shell needs --command');
  if (stdin && command === undefined) throw new TckError('usage', '--stdin needs --command');
}

/** How the client is started. */
async function starting({ command, shell, stdin, fault = [] }: ClientArguments) {
  if (command !== undefined) {
    const { clientCommand: started, clientOnStdin } = await import('../../clients/index.js');
    return (stdin === true ? clientOnStdin : started)(command, { shell: shell ?? false });
  }
  const { clientFaults, referenceClient } = await import('../../../fixtures/clients/index.js');
  const { named } = await import('../named.js');
  return referenceClient(
    fault.map((id) => named('fault', id, clientFaults, 'a2a-tck list client-faults shows them').patch),
  );
}

/** Most bytes of what a client says of a scenario that it has played by itself. */
const mostTold = 1 << 20;
const notFound =
  'Not found: / lists the scenarios, POST /told/<scenario> takes what your client understood, /verdict shows the results so far\n';

/** Waits for clients until Ctrl-C. What was seen so far is at `/verdict`. */
async function served(
  { port = 0, host }: ClientArguments,
  options: Omit<ClientOptions, 'start'>,
  terminal: Terminal,
  tell: (event: RunEvent) => void,
): Promise<Report> {
  const { errandOf, ownPort, serveScenarios } = await import('../../clients/index.js');
  const { plainAnswer, scenarioPorts } = await import('../scenario-port.js');
  const { jsonReportText } = await import('../../../reporters/index.js');
  const seen: { list?: () => string; verdict?: () => string; tell?: ServedClients['tell'] } = {};
  const ports = await scenarioPorts({ port, ...(host === undefined ? {} : { host }) }, (path, { method, body }) => {
    if (path === '/') return plainAnswer(200, 'application/json', seen.list?.() ?? '[]');
    if (path === '/verdict' && seen.verdict !== undefined) return plainAnswer(200, 'application/json', seen.verdict());
    const id = /^\/told\/([^/]+)$/.exec(path)?.[1];
    if (id !== undefined && method === 'POST') {
      if (body !== undefined && body.length > mostTold)
        return plainAnswer(413, 'text/plain', `At most ${mostTold} bytes are read\n`);
      const said = seen.tell?.(
        id,
        Buffer.from(body ?? [])
          .toString('utf8')
          .replaceAll(/[\r\n]/g, ' '),
      );
      if (said === 'kept') return plainAnswer(200, 'text/plain', 'Kept\n');
      if (said === 'unreadable') return plainAnswer(400, 'text/plain', 'The body is not a JSON object\n');
    }
    return plainAnswer(404, 'text/plain', notFound);
  });
  // The paths of gRPC begin at the root of an origin, so each scenario has a port of its own there.
  const isBelowRoot = options.dialect.binding.id !== 'grpc';
  const scenes = await serveScenarios(options, tell, isBelowRoot ? ports.open : ownPort);
  const listed = scenes.staged.map(({ scenario, stage }) => ({
    scenario: scenario.id,
    about: scenario.about,
    url: stage.places.agent,
    errand: errandOf(scenario, stage),
  }));
  seen.list = () => `${JSON.stringify(listed, undefined, 2)}\n`;
  seen.verdict = () => jsonReportText(scenes.report());
  seen.tell = scenes.tell;
  const ended = interrupted(terminal);
  terminal.err(`${ports.url} lists the scenarios: the URL of each, and what the client is to do there.\n`);
  for (const { scenario, url, errand } of listed) terminal.err(`  ${url}  ${errand.do}  (${scenario})\n`);
  terminal.err(`${ports.url}/verdict shows the results so far. Ctrl-C ends it, with the verdict.\n`);
  await ended;
  const report = await scenes.end();
  await ports.close();
  return report;
}
