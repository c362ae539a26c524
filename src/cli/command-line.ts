import { Argument, Command, type CommanderError, Option } from 'commander';
import { charging } from '../../packs/options.js';
import { readIdentity } from '../endpoint/identity.js';
import { reportFailure } from './failure.js';
import {
  addCallOptions,
  addClientOptions,
  addFirstOptions,
  addFuzzOptions,
  addMergeOptions,
  addNetworkOptions,
  addPackOption,
  addPackOptions,
  addReportOptions,
  addRunOptions,
  addUrlOption,
  integer,
  list,
  repeated,
} from './run-options.js';
import type { Terminal } from './terminal.js';

const examples = `
Examples:
  a2a-tck demo                                       see it at work on the kit's own agent
  a2a-tck --url http://localhost:4000                test an agent: its base, card or endpoint URL
  a2a-tck --url … --report junit=out.xml             the same in CI
  a2a-tck validate agent-card.json                   a card, task or message without an agent
  a2a-tck explain <check-id>                         what a check wants, and how to fix a failure
  a2a-tck fuzz --url http://localhost:4000           try inputs that no check has

a2a-tck run --help shows all options of a run.
Completion: source <(a2a-tck complete bash), or zsh, fish, powershell.
Exit codes: 0 passed, 1 failed, 2 wrong usage, 3 no agent there, 4 unproven, 70 the kit failed.
`;

const fuzzNotes = `
Every finding is confirmed by running it again from scratch, made as small as
it gets, and written as a case that --replay runs again and as a shell script
that shows it alone.
Exit codes: 0 nothing found; 1 a finding, whether it breaks a sentence of the
specification or is a weakness such as a crash; 2 wrong usage; 3 no agent there;
4 the campaign ended early and found nothing; 70 the kit failed.
`;

const callNotes = `
Shows the request and the answer as they travel (messages of gRPC as JSON), the
result as every binding means it, and a line of curl that sends the same again.
Exit codes: 0 a result; 1 the agent refused; 2 wrong usage; 3 no agent there, or
no answer; 4 the answer cannot be read.
`;

const clientNotes = `
The client finds A2A_SCENARIO, A2A_PROTOCOL_VERSION, A2A_BINDING and A2A_CONTEXT
(JSON: what to do) in its environment. It may print one line of JSON: what it
understood. docs/clients.md has the members and ready programs.
Exit codes: 0 passed, 1 failed, 2 wrong usage, 4 unproven, 70 the kit failed.
`;

const validateNotes = `
Kind and version are found out; --as and --profile say them. A URL may be that
of an agent: its card is judged then.
Exit codes: 0 no fault of a MUST; 1 a fault; 2 wrong usage, or a file that
cannot be read; 3 nothing at the URL, or no document of A2A.
`;

/** The commands. Each loads what it needs when it is called, so that help starts fast. */
function createProgram(terminal: Terminal, exit: (code: number) => void): Command {
  const program = new Command('a2a-tck')
    .description('Conformance tests for agents that speak A2A.')
    .version(readIdentity().version, '-v, --version', 'show the version')
    .usage('[command] [options]')
    .exitOverride((error: CommanderError) => {
      throw error;
    })
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, outputError: () => undefined })
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .addHelpText('after', examples);

  const run = program
    .command('run', { isDefault: true })
    .description('test an agent (when no command is given)')
    .argument('[word...]')
    .usage('--url <url> [options]');
  addRunOptions(addFirstOptions(run)).action(async (words: string[], given) => {
    const commands = program.commands.map((command) => command.name());
    exit(await (await import('./commands/run.js')).runCommand(given, words, commands, terminal));
  });

  addRunOptions(program.command('demo').description("the same, on the kit's own reference agent"))
    .option('--fault <id>', 'give the agent this fault; repeatable', repeated)
    .option('--variant <id>', 'this conforming but unusual agent')
    .option('--preset <id>', 'several faults at once, as real agents have them')
    .action(async (given) => exit(await (await import('./commands/demo.js')).demoCommand(given, terminal)));

  addFuzzOptions(
    addUrlOption(program.command('fuzz').description('try inputs that no check has, and show what breaks')),
  )
    .usage('--url <url> [options]')
    .addHelpText('after', fuzzNotes)
    .action(async (given) => exit(await (await import('./commands/fuzz.js')).fuzzCommand(given, terminal)));

  addCallOptions(
    program
      .command('call')
      .description('call one operation over any binding, and show what comes')
      .argument('<operation>', 'send, get, list, cancel, stream, … or its name in a binding')
      .option('--url <url>', 'URL of the agent, or an address of gRPC: grpc://host:port')
      .option('--profile <id>', 'which version (default: auto)')
      .addOption(
        new Option('--binding <name>', 'over which binding (default: auto, the first of the card)').choices([
          'auto',
          'jsonrpc',
          'http+json',
          'grpc',
        ]),
      )
      .option('--params <json>', 'as the version spells them; @file, or - for stdin')
      .option('--text <text>', 'in their place: the text of a message')
      .option('--id <id>', 'in their place: the task that is meant')
      .option('--timeout <ms>', 'how long an answer is waited for (default: 10000)', integer(1, 600_000))
      .option('--json', 'all of it as JSON on stdout'),
  )
    .addHelpText('after', callNotes)
    .action(async (name, given) => exit(await (await import('./commands/call.js')).callCommand(name, given, terminal)));

  program
    .command('validate')
    .description('judge cards, tasks or messages without an agent')
    .argument('<file|url|-...>', 'JSON documents, or patterns such as cards/*.json; - is stdin')
    .option('--as <kind>', `card, task, message, part, artifact, event, push-config, ${charging.document}, …`)
    .option('--profile <id>', 'which version (default: auto); a2a-tck list profiles')
    .option('--key <file>', 'the public key that must have signed the card: JWK, key set or PEM')
    .option('--report <format[=file]>', 'console, json, sarif or junit; repeatable (default: console)', repeated)
    .option('--json', 'the JSON report on stdout, and nothing else there')
    .option('--strict', 'a fault of a SHOULD counts too')
    .option('--verbose', 'every sentence, and every check that passed')
    .option('--to <version>', '1.0: write a card of 0.2 or 0.3 anew for 1.0, and list what changes')
    .option('--out <file>', 'where the new card goes (default: stdout)')
    .addHelpText('after', validateNotes)
    .action(async (from, given) =>
      exit(await (await import('./commands/validate.js')).validateCommand(from, given, terminal)),
    );

  addClientOptions(
    program
      .command('client')
      .description('judge a client: scenarios of agents, and what it makes of each')
      .option('--command <command>', 'starts the client; the URL of the agent is its last argument')
      .option('--shell', 'a shell reads the command')
      .option('--stdin', 'one process reads the errands of all scenarios, as lines of JSON, from its standard input')
      .option('--serve', 'wait for a client that comes by itself')
      .option('--demo', "judge the kit's own client")
      .option('--fault <id>', 'give that client this fault; repeatable', repeated)
      .option('--scenario <ids>', 'only these: a comma list; a2a-tck list scenarios', list)
      .option('--profile <id>', 'the version that the client speaks (default: a2a-1.0)')
      .addOption(
        new Option('--binding <name>', 'over which binding (default: jsonrpc)').choices([
          'jsonrpc',
          'http+json',
          'grpc',
        ]),
      )
      .option('--port <n>', 'of --serve (default: a free one)', integer(0, 65_535))
      .option('--host <host>', 'where --serve listens (default: 127.0.0.1)')
      .option('--timeout <ms>', 'for one scenario (default: 15000, more for slow ones)', integer(100, 600_000))
      .option('--concurrency <n>', 'scenarios at once (default: 4)', integer(1, 64)),
  )
    .usage('--command "<command>" | --serve | --demo [options]')
    .addHelpText('after', clientNotes)
    .action(async (given) => exit(await (await import('./commands/client.js')).clientCommand(given, terminal)));

  program
    .command('promote')
    .description('keep a finding as a case that later campaigns begin with')
    .argument('<finding.json>', 'what fuzz --out has written')
    .requiredOption('--as <name>', 'name of the case')
    .option('--into <folder>', 'where it is kept (default: a2a-tck-regressions)')
    .action(async (file, given) =>
      exit(await (await import('./commands/promote.js')).promoteCommand(file, given, terminal)),
    );

  program
    .command('serve')
    .description('put the reference agent on a port')
    .option('--port <n>', 'default 0: a free one', integer(0, 65_535))
    .option('--host <host>', 'where it listens (default: 127.0.0.1)')
    .option('--profile <id>', 'what it speaks')
    .addOption(
      new Option('--binding <name>', 'how it is called (default: jsonrpc)').choices([
        'jsonrpc',
        'http+json',
        'grpc',
        'all',
      ]),
    )
    .option('--fault <id>', 'give it this fault; repeatable', repeated)
    .option('--variant <id>', 'this conforming but unusual agent')
    .option('--preset <id>', 'several faults at once, as real agents have them')
    .option('--impostor <id>', 'something that is not an agent at all')
    .option(charging.option, charging.about.serve)
    .option('--data <file>', 'keep tasks over a restart, in this SQLite file')
    .action(async (given) => exit(await (await import('./commands/serve.js')).serveCommand(charged(given), terminal)));

  program
    .command('stub')
    .description('start a stub of a service that agents call')
    .option('--profile <id>', 'for agents of this profile: xpr, xpr-v2')
    .option(charging.option, charging.about.stub)
    .option('--port <n>', 'default 0: a free one', integer(0, 65_535))
    .option('--control-port <n>', 'where it is steered (default 0: a free one)', integer(0, 65_535))
    .option('--host <host>', 'where both listen (default: 127.0.0.1)')
    .option('--chain-id <hex>', 'of the chain (default: that of the test network)')
    .action(async (given) => exit(await (await import('./commands/stub.js')).stubCommand(charged(given), terminal)));

  addPackOptions(program.command('prove'))
    .description('prove every check of the kit, or of packs')
    .option('--profile <id>', 'only this profile, or client-1.0 and so on (default: all; with --json the first)')
    .option(charging.option, charging.about.prove)
    .option('--clients', 'only the checks of clients')
    .option('--without <names>', `leave these proofs out: a comma list, such as xpr-v2,a2a-0.3-${charging.pack}`, list)
    .option(
      '--once',
      'test each agent on the first profile that has it, each fault with the checks that caught it before',
    )
    .option('--only <checks>', 'only these checks: a comma list of ids or patterns, such as card/*', list)
    .option('--json', 'the proof as JSON on stdout')
    .option('--write <folder>', 'store the kill matrix')
    .option('--check <folder>', 'compare with the stored kill matrix')
    .action(async (given) => exit(await (await import('./commands/prove.js')).proveCommand(charged(given), terminal)));

  const kinds =
    'checks, requirements, sets, faults, fuzz-faults, variants, impostors, presets, profiles, suites, scenarios, client-faults, odd-clients, expectations';
  addPackOption(program.command('list'))
    .description('list checks, faults, profiles …')
    .addArgument(new Argument('[kind]', kinds).default('checks'))
    .option('--profile <id>', 'for this profile; auto lists the checks of all')
    .option(charging.option, charging.about.list)
    .option('--clients', 'only what is about clients')
    .option('--config <file>', 'whose expectations; default: the one that is found here or above')
    .option('--json', 'as JSON')
    .action(async (kind, given) =>
      exit(await (await import('./commands/list.js')).listCommand(kind, charged(given), terminal)),
    );

  addPackOption(program.command('explain'))
    .description('what a check wants and how to fix it, or what the fuzzer found')
    .argument('<check-id>', 'or the id of a requirement, or of a finding of the last run')
    .option('--profile <id>', 'for this profile')
    .action(async (id, given) =>
      exit(await (await import('./commands/explain.js')).explainCommand(id, given, terminal)),
    );

  program
    .command('mcp')
    .description('serve validate, run, explain and list to coding agents (MCP, on stdio)')
    .option('--origin <origin>', 'an origin that may be tested besides this machine, or *; repeatable', repeated)
    .option('--header <header>', "'Name: value', for the named origins alone; repeatable, hidden", repeated)
    .option('--bearer-env <variable>', 'environment variable that holds a bearer token for them')
    .action(async (given) => exit(await (await import('./commands/mcp.js')).mcpCommand(given, terminal)));

  addReportOptions(
    program
      .command('report')
      .description('show a stored run again')
      .argument('<run.json>', 'what --report json=<file> wrote')
      .addOption(
        new Option('--shell <name>', 'write the lines of requests for it (default: posix)').choices([
          'posix',
          'powershell',
        ]),
      ),
  ).action(async (file, given) =>
    exit(await (await import('./commands/report.js')).reportCommand(file, given, terminal)),
  );

  addMergeOptions(
    program
      .command('merge')
      .description('one report of all parts of a run')
      .argument('<part.json...>', 'what runs with --shard wrote'),
  ).action(async (files, given) =>
    exit(await (await import('./commands/merge.js')).mergeCommand(files, given, terminal)),
  );

  program
    .command('diff')
    .description('what changed from one run to the next')
    .argument('<old.json>')
    .argument('<new.json>')
    .option('--json', 'as JSON')
    .action(async (before, after, given) =>
      exit(await (await import('./commands/diff.js')).diffCommand([before, after], given, terminal)),
    );

  program
    .command('attest')
    .description('sign a stored run')
    .argument('<run.json>', 'what --report json=<file> wrote')
    .option('--key <file>', 'the Ed25519 key that signs (PEM); or A2A_TCK_ATTEST_KEY')
    .option('--out <file>', 'default: stdout')
    .action(async (file, given) =>
      exit(await (await import('./commands/attest.js')).attestCommand(file, given, terminal)),
    );

  program
    .command('verify')
    .description('whether a signed result is genuine')
    .argument('<file>', 'what --attest wrote')
    .requiredOption('--key <file>', 'the public key of the expected signer (PEM)')
    .option('--card <url or file>', 'require that the result is about this agent card')
    .option('--passed', 'require that the run did not fail')
    .option('--json', 'as JSON')
    .action(async (file, given) =>
      exit(await (await import('./commands/verify.js')).verifyCommand(file, given, terminal)),
    );

  program
    .command('keygen')
    .description('make a pair of keys for signed results')
    .requiredOption('--out <file>', 'the private key; the public one gets .pub')
    .action(async (given) => exit(await (await import('./commands/keygen.js')).keygenCommand(given, terminal)));

  addNetworkOptions(
    program
      .command('init')
      .description('write a configuration and a CI workflow for your agent')
      .option('--url <url>', 'base, card or endpoint URL of the agent, which is asked what it can do')
      .option('--folder <folder>', 'where to (default: here)')
      .addOption(
        new Option('--ci <name>', 'whose workflow (default: github, or gitlab where .gitlab-ci.yml is)').choices([
          'github',
          'gitlab',
          'none',
        ]),
      )
      .option('--force', 'write over what is there'),
  ).action(async (given) => exit(await (await import('./commands/init.js')).initCommand(given, terminal)));

  program
    .command('fleet')
    .description('judge many agents, with an overview')
    .argument('<targets.yaml>', 'names, URLs and options; schemas/kit/fleet.schema.json')
    .requiredOption('--out <folder>', 'where reports and overview go')
    .option('--workers <n>', 'agents at a time (default: 4)', integer(1, 64))
    .addOption(
      new Option('--concurrency <n>', 'its name before').argParser(integer(1, 64)).conflicts('workers').hideHelp(),
    )
    .option('--limit <seconds>', 'for one agent (default: 600)', integer(1, 86_400))
    .action(async (file, given) =>
      exit(await (await import('./commands/fleet.js')).fleetCommand(file, given, terminal)),
    );

  // Programs that start any command may say so, whatever else it does.
  for (const command of program.commands) {
    if (command.options.some(({ long }) => long === '--no-config')) continue;
    command.addOption(new Option('--no-config', 'it reads none').hideHelp());
  }
  return program;
}

/** The arguments of a command to which the option of payments says whether the agent charges. */
const charged = <T extends object>({ [charging.pack]: charges, ...given }: T & { [charging.pack]?: true }) => ({
  ...given,
  ...(charges === true ? { charges } : {}),
});

/** Words that had another name before: scripts that use them go on working. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['lab', 'stub'],
  ['--xpr-lab', '--xpr-stub'],
  [`${charging.option}-lab`, `${charging.option}-stub`],
]);

function inNewWords(argv: readonly string[]): readonly string[] {
  return argv.map((word, at) => {
    const [name = '', ...value] = word.split('=');
    const now = at === 0 || name.startsWith('--') ? renamed.get(name) : undefined;
    return now === undefined ? word : [now, ...value].join('=');
  });
}

/** Runs one command and returns the exit code. Never throws. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  let code = 0;
  try {
    const program = createProgram(terminal, (exit) => {
      code = exit;
    });
    // It adds the command of the shells, which no other command needs.
    if (argv[0] === 'complete') (await import('@bomb.sh/tab/commander')).default(program);
    await program.parseAsync(inNewWords(argv), { from: 'user' });
    return code;
  } catch (error) {
    return reportFailure(error, terminal);
  }
}
