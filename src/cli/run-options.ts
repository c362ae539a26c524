import { type Command, Option } from 'commander';
import { budget, integer, list, percent, repeated } from './argument.js';

/** Options that say how a run is shown; `report` has them too. */
export const addReportOptions = (command: Command): Command =>
  command
    .option('--report <format[=file]>', 'console, json, ndjson or junit; repeatable (default: console)', repeated)
    .option('--json', 'the JSON report on stdout, and nothing else there')
    .option('--strict', 'a failed SHOULD fails the gate too')
    .option('--verbose', 'every check, and every reason');

/** Options of `run` and `demo`. A configuration file knows the same ones. */
export const addRunOptions = (command: Command): Command =>
  addReportOptions(
    command
      .option('--profile <id>', 'what the agent speaks; a2a-tck list profiles (default: auto)')
      .option('--suite <names>', 'only these suites: a comma list, * stands for anything', list)
      .option('--check <ids>', 'only these checks: a comma list, * stands for anything', list)
      .addOption(
        new Option('--level <level>', 'lowest level to run (default: all)').choices(['must', 'should', 'may']),
      ),
  )
    .option('--min-proof <percent>', 'gate: share of the MUST checks that must be shown either way', percent)
    .option('--baseline <file>', 'known failures, each with a reason and perhaps a last day')
    .option('--update-baseline', 'write what fails now into the baseline')
    .option('--seed <n>', 'of every random choice; printed when not given', integer(0, 2 ** 32 - 1))
    .option('--timeout <ms>', 'for each exchange (default: 10000)', integer(1, 600_000))
    .option('--concurrency <n>', 'checks in flight (default: 8)', integer(1, 64))
    .option('--budget <caps>', 'hard caps, as requests=500,tasks=20', budget)
    .option('--read-only', 'nothing that creates a task, spends money or floods')
    .option('--header <header>', "'Name: value', sent with every request; repeatable, hidden in all output", repeated)
    .option('--bearer-env <variable>', 'environment variable that holds a bearer token')
    .option(
      '--query-env <name=variable>',
      'a key that belongs into the URL, from the environment; repeatable',
      repeated,
    )
    .option(
      '--second-header <header>',
      'of another caller, who must not see what the first one does; repeatable',
      repeated,
    )
    .option('--second-bearer-env <variable>', 'environment variable that holds the bearer token of that caller')
    .option(
      '--second-query-env <name=variable>',
      'a key of that caller that belongs into the URL; repeatable',
      repeated,
    )
    .option('--allow-origin <origin>', 'where else the card may send us; repeatable', repeated)
    .option(
      '--webhook <host[:port]>',
      'where the kit listens for push notifications (default: for agents on this machine)',
    )
    .option('--webhook-url <url>', 'where the agent reaches that, when it is not the same')
    .option('--restart-command <command>', 'how to restart the agent: it is asked whether its tasks are still there')
    .option('--config <file>', 'YAML or JSON with these options, and prompts that steer the agent');
