import { type Command, Option } from 'commander';
import { budget, integer, list, percent, repeated } from './argument.js';

/** Options that say how a run is shown; `report` has them too. */
export const addReportOptions = (command: Command): Command =>
  command
    .option(
      '--report <format[=file]>',
      'console, json, ndjson, junit, html, sarif, markdown, ctrf, tap, har, trace or badge; repeatable (default: console)',
      repeated,
    )
    .option('--json', 'the JSON report on stdout, and nothing else there')
    .option('--badge-link <url>', 'where the badge leads: an https URL')
    .option('--strict', 'a failed SHOULD fails the gate too')
    .option('--verbose', 'every check, and every reason');

/** Which binding; `usual` says what is taken without it. */
export const addBindingOption = (command: Command, usual: string): Command =>
  command.addOption(
    new Option('--binding <name>', `which interface is judged, all: each in full (default: ${usual})`).choices([
      'auto',
      'jsonrpc',
      'http+json',
      'grpc',
      'all',
    ]),
  );

const addProfileOption = (command: Command): Command =>
  addBindingOption(
    command.option('--profile <id>', 'what the agent speaks; a2a-tck list profiles (default: auto)'),
    'auto, the first in full, the others in part',
  );

/** Options of `run` and `demo`. A configuration file knows the same ones. */
export const addRunOptions = (command: Command): Command =>
  addTargetOptions(
    addProfileOption(addReportOptions(command))
      .option('--suite <names>', 'only these suites: a comma list, * stands for anything', list)
      .option('--check <ids>', 'only these checks: a comma list, * stands for anything', list)
      .addOption(new Option('--level <level>', 'lowest level to run (default: all)').choices(['must', 'should', 'may']))
      .option(
        '--min-proof <percent>',
        'gate: share of the MUST checks that must pass or fail; 0: no minimum (default: 50)',
        percent,
      )
      .option('--fail-fast', 'end the run after the first check that fails the gate')
      .option('--baseline <file>', 'known failures, each with a reason and perhaps a last day')
      .option('--update-baseline', 'write what fails now into the baseline')
      .option(
        '--fuzz-runs <n>',
        'inputs that are tried after the checks; 0: none (default: 10 in a run of all checks)',
        integer(0, 1_000_000),
      )
      .option('--concurrency <n>', 'checks in flight (default: 8, up to 24 on slow agents)', integer(1, 64))
      .option('--shard <i/n>', 'only this part of the checks, from 1; a2a-tck merge puts the reports together')
      .option('--attest <file>', 'write the signed result: an in-toto statement about the agent card')
      .option('--attest-key-file <file>', 'a file with the Ed25519 key that signs it (PEM); or A2A_TCK_ATTEST_KEY'),
    'that of this version of the kit',
    '600; 3600 with signed calls, payments or --slow',
  );

/** Options of `fuzz`. */
export const addFuzzOptions = (command: Command): Command =>
  addTargetOptions(
    addProfileOption(addReportOptions(command))
      .option('--runs <n>', 'cases to try (default: 1000)', integer(1, 1_000_000_000))
      .option('--time <seconds>', 'end after this time, confirmations included', integer(1, 1_000_000))
      .option('--rate <n>', 'requests per second at most', integer(1, 100_000))
      .option('--corpus <folder>', 'begin with the cases in it, and add those that show something new')
      .option('--out <folder>', 'where findings go: a case and a script each (default: a2a-tck-findings)')
      .option('--replay <file>', 'run stored cases again, and nothing else: a case or a folder of them')
      .option('--confirm <n>', 'runs from scratch that confirm a finding (default: 3)', integer(1, 20))
      .option('--unguided', 'choose each case without regard to earlier answers')
      .option('--concurrency <n>', 'cases in flight (default: 1)', integer(1, 64)),
    'a new one',
    'no limit',
  );

/** Options that say how an agent is reached. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured without an option. */
export const addNetworkOptions = (command: Command): Command =>
  command
    .optionsGroup('Network (HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured):')
    .option('--ca-file <file>', 'certificates in PEM that are trusted too: a private CA, or a self-signed one')
    .option('--cert-file <file>', 'certificate of the kit in PEM, for agents that want one (mTLS)')
    .option('--key-file <file>', 'its private key in PEM')
    .option('--insecure', 'check no certificate; said in every report, never with payments or signed calls')
    .option('--resolve <host:address>', 'call the host at this address; repeatable, host:port:address too', repeated)
    .optionsGroup('Options:');

/** Options for the target, the callers and the limits of a run. */
const addTargetOptions = (command: Command, usualSeed: string, usualTime: string): Command =>
  addNetworkOptions(command)
    .option('--seed <n>', `of every random choice (default: ${usualSeed})`, integer(0, 2 ** 32 - 1))
    .option('--timeout <ms>', 'for each exchange (default: 10000)', integer(1, 600_000))
    .option(
      '--max-time <seconds>',
      `for the whole run, which then ends with what it knows (default: ${usualTime})`,
      integer(1, 1_000_000),
    )
    .option('--wait <seconds>', 'for an agent that is starting: until it serves its card', integer(1, 3600))
    .option('--budget <caps>', 'hard caps, as requests=500,tasks=20', budget)
    .option('--read-only', 'nothing that creates a task, spends money or floods')
    .option('--header <header>', "'Name: value', sent with every request; repeatable, hidden in all output", repeated)
    .option('--bearer-env <variable>', 'environment variable that holds a bearer token')
    .option(
      '--oauth-client-id-env <variable>',
      'environment variable that holds an OAuth client id: the kit gets tokens as the card says, and renews them',
    )
    .option('--oauth-client-secret-env <variable>', 'environment variable that holds the secret of that client')
    .option('--oauth-scope <scopes>', 'scopes to ask for, with spaces between (default: those of the card)')
    .option(
      '--query-env <name=variable>',
      'a key that belongs into the URL, from the environment; repeatable',
      repeated,
    )
    .option(
      '--second-header <header>',
      'header of a second caller, who must have no access to the data of the first; repeatable',
      repeated,
    )
    .option('--second-bearer-env <variable>', 'environment variable that holds the bearer token of that caller')
    .option(
      '--second-query-env <name=variable>',
      'a key of that caller that belongs into the URL; repeatable',
      repeated,
    )
    .option('--allow-origin <origin>', 'another origin to which the card may point; repeatable', repeated)
    .option(
      '--webhook <host[:port]>',
      'where the kit listens for push notifications (default: for agents on this machine)',
    )
    .option('--webhook-url <url>', 'where the agent reaches the kit, if not at --webhook')
    .option('--restart-command <command>', 'restarts the agent: the kit then checks that its tasks are still there')
    .optionsGroup('Callers that sign, of XPR agents:')
    .option('--xpr-account <name>', 'the account that signs; its key in A2A_TCK_XPR_KEY')
    .option('--xpr-key-file <file>', 'a file that holds the key: WIF or PVT_K1_…')
    .option('--xpr-key <key>', 'the key itself; everybody on this machine can read arguments')
    .option('--xpr-second-account <name>', 'another account; its key in A2A_TCK_XPR_SECOND_KEY')
    .option('--xpr-second-key-file <file>', 'a file that holds the key of that account')
    .option(
      '--xpr-unregistered-account <name>',
      'an account that is no registered agent; its key in A2A_TCK_XPR_UNREGISTERED_KEY',
    )
    .option('--xpr-unregistered-key-file <file>', 'a file that holds the key of that account')
    .addOption(
      new Option('--xpr-digest <lines>', 'what is signed: three lines, or five (default: auto)').choices([
        'v1',
        'v2',
        'auto',
      ]),
    )
    .option('--xpr-audience <account>', 'for whom five lines are signed (default: the account of the card)')
    .option('--xpr-chain-id <hex>', 'for which chain five lines are signed (default: what --xpr-rpc says)')
    .option('--xpr-rpc <url>', 'RPC endpoint of the chain: tells beforehand which keys the agent should accept')
    .option('--xpr-rate <n>', 'signed requests that the agent takes in a minute (default: 20)', integer(3, 100_000))
    .option('--xpr-allow-send', 'messages may be sent, although each starts work (default: to agents on this machine)')
    .option('--xpr-min-kyc <level>', 'the KYC level that the agent asks for', integer(0, 3))
    .option('--xpr-min-trust <score>', 'the trust score that the agent asks for', integer(0, 100))
    .option('--xpr-stub <url>', 'control URL of a2a-tck stub, which stands in for the chain that the agent asks')
    .optionsGroup('Payments:')
    .option('--x402', 'judge payments too: the agent charges through the x402 extension')
    .option('--x402-message <text>', 'what the agent charges for (default: paid-echo)')
    .option('--x402-key-file <file>', 'a file that holds the key of a wallet with funds; or A2A_TCK_X402_KEY')
    .option('--x402-key <key>', 'the key itself; everybody on this machine can read arguments')
    .option('--x402-max-amount <units>', 'the most that one payment may cost, in atomic units; a key needs it')
    .option(
      '--x402-max-total <units>',
      'the most that all payments together may cost, of all agents of a fleet (default: one payment)',
    )
    .option(
      '--x402-allow-network <network>',
      'pay there too, as eip155:8453 or base; repeatable (default: test networks)',
      repeated,
    )
    .option('--x402-asset <network:address>', 'pay in this token too; repeatable (default: known ones)', repeated)
    .option('--x402-allow-upfront', 'pay too where the agent charges before it works, and gives nothing back')
    .option('--x402-timeout <ms>', 'for a payment to be decided (default: 60000)', integer(1, 3_600_000))
    .option(
      '--x402-stub <url>',
      'control URL of the a2a-tck stub --x402 that the agent settles through; pays with play money',
    )
    .option('--dry-run', 'sign nothing with the key, and tell what would be signed')
    .optionsGroup('Options:')
    .option('--slow', 'checks may wait out time windows of several minutes')
    .option(
      '--config <file>',
      'YAML or JSON with these options, and prompts that steer the agent (default: a2a-tck.config.yaml, .yml or .json here or above)',
    )
    .option('--no-config', 'no configuration file, although there is one');
