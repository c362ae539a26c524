import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { dialects, type ProfileId } from '../src/dialect/index.js';
import { stageAgent, toldOf } from '../src/proof/staged-agent.js';
import { variants } from '../src/reference/index.js';
import type { CheckResult, Report } from '../src/report/index.js';
import { run } from '../src/run/index.js';
import { bodyText, type Exchange, openly } from '../src/wire/index.js';
import { plainRun } from './plain-run.js';

// The line to repeat must show what was found: the exchange that is shown is the one that was judged.

interface Shown {
  readonly check: CheckResult;
  readonly exhibit: Exchange;
  /** Sends its request again, to the same agent. */
  again(): Promise<string>;
}

/** Runs checks on an agent with a fault; all that they fail on is handed to `look` while the agent still lives. */
async function failing(
  profile: ProfileId,
  fault: string,
  checks: readonly string[],
  look: (shown: Shown) => Promise<void>,
): Promise<Report> {
  const dialect = dialects.find(({ id }) => id === profile);
  const found = faults.find(({ id }) => id === fault);
  if (dialect === undefined || found === undefined) throw new Error(`no ${profile}, or no fault ${fault}`);
  const variant = variants.find(({ id }) => id === found.on);
  const staged = await stageAgent(
    { dialect },
    [...(variant === undefined ? [] : [variant.patch]), found.patch],
    variant,
  );
  try {
    const report = await run(
      { ...plainRun, ...toldOf(staged), profile, selection: { ...plainRun.selection, checks }, redactor: openly },
      () => undefined,
    );
    for (const check of report.checks.filter(({ verdict }) => verdict === 'fail')) {
      const exhibit = report.exchanges.find(({ id }) => id === check.exhibit);
      if (exhibit === undefined) throw new Error(`${check.id} on ${fault} shows no exchange`);
      const again = async (): Promise<string> => {
        const answer = await staged.carrier(exhibit.request, new AbortController().signal);
        const pieces: Uint8Array[] = [];
        for await (const piece of answer.body) pieces.push(piece);
        return `${answer.status} ${bodyText(Buffer.concat(pieces))}`;
      };
      await look({ check, exhibit, again });
    }
    return report;
  } finally {
    staged.end();
  }
}

const requestText = ({ request }: Exchange): string => `${request.method} ${request.url} ${bodyText(request.body)}`;
const answerText = ({ response }: Exchange): string => `${response?.status} ${bodyText(response?.body)}`;

describe('the exchange that is shown is the one that was judged, and its request shows it again', () => {
  test.for<[string, string, ProfileId, RegExp, RegExp]>([
    ['list/artifacts-omitted', 'list-later-pages-with-artifacts', 'a2a-1.0', /ListTasks.*pageToken/s, /"artifacts"/],
    ['list/artifacts-omitted', 'list-of-a-state-with-artifacts', 'a2a-1.0', /ListTasks.*"status"/s, /"artifacts"/],
    ['push/unknown-task-refused', 'push-unknown-task-stored', 'a2a-1.0', /CreateTaskPush/, /"result"/],
    ['push/unknown-task-refused', 'push-unknown-task-lists-nothing', 'a2a-1.0', /ListTaskPush/, /"result"/],
    ['signature/verifies', 'signature-over-plain-json', 'a2a-1.0', /^GET .*agent-card\.json/, /"signatures"/],
    ['signature/verifies', 'signature-by-another-key', 'a2a-1.0', /^GET .*agent-card\.json/, /"signatures"/],
    ['task/cancel-terminal-refused', 'cancel-accepts-terminal', 'a2a-0.3', /tasks\/cancel/, /"result"/],
    ['message/parts-required', 'send-accepts-missing-parts', 'a2a-0.3', /message\/send(?!.*"parts")/s, /"result"/],
    ['list/state-filter', 'list-ignores-state', 'a2a-1.0', /ListTasks.*"status"/s, /"tasks"/],
    ['list/time-filter', 'list-time-compared-as-text', 'a2a-1.0', /ListTasks.*:\d\dZ"/s, /"tasks"/],
    ['list/context-filter', 'list-context-by-prefix', 'a2a-1.0', /ListTasks.*"contextId"/s, /"tasks":\[\{/],
    ['message/completed-refused', 'send-refusal-reopens-task', 'a2a-1.0', /GetTask/, /"result"/],
    ['rpc/unknown-method', 'rpc-unknown-method-is-internal-error', 'a2a-0.3', /"method"/, /"error"/],
  ])('%s on %s', async ([id, fault, profile, asked, came]) => {
    let seen = 0;
    await failing(profile, fault, [id], async ({ exhibit, again }) => {
      seen++;
      expect(requestText(exhibit)).toMatch(asked);
      expect(answerText(exhibit)).toMatch(came);
      expect(await again()).toMatch(came);
    });
    expect(seen).toBe(1);
  });
});
