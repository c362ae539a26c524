import { stringify } from 'yaml';
import type { CheckResult } from '../report/index.js';
import { printable } from '../wire/index.js';
import type { Manifest } from './manifest.js';
import { rowsById } from './sentences.js';

/** What changes from run to run, and says nothing to a reader. */
const shortened = (text: string): string =>
  printable(text, 4000)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '…')
    .replace(/(localhost|127\.0\.0\.1):\d+/g, '$1:…')
    .replace(/ \(and in \d+ more of \d+ exchanges\)/, '')
    .slice(0, 240);

/**
 * Entries of `expected.yaml` for failures that a person has not judged yet: the person who reads the sentence and the
 * exchange writes `judged`, and what the answer is worth.
 */
export function draftOf(results: readonly CheckResult[], { profiles }: Manifest): string {
  const rows = rowsById();
  const byCheck = new Map<string, CheckResult[]>();
  for (const result of results) {
    const check = result.id.split('@')[0] ?? result.id;
    byCheck.set(check, [...(byCheck.get(check) ?? []), result]);
  }
  const entries = [...byCheck].map(([check, [first, ...rest]]) => {
    const over = [first, ...rest].map((checkResult) => checkResult?.id.split('@')[1] ?? profiles[0]);
    const [id = ''] = first?.requirements ?? [];
    const row = rows.get(id);
    return {
      check,
      ...(over.length === 1 && over[0] === profiles[0] ? {} : { over }),
      level: first?.level,
      judged: 'NOT JUDGED',
      sentence: `${row?.section.split(' ')[0] ?? ''}: ${row?.statement ?? first?.section ?? ''}`,
      wire: shortened(first?.reason ?? ''),
    };
  });
  return stringify({ failures: entries }, { lineWidth: 0 });
}
