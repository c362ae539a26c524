import { run } from '../../src/index.js';

/** The first failure; nothing more is sent once it is found. */
export async function firstFailure(url: string): Promise<string | undefined> {
  for await (const event of run({ url, suites: ['card', 'task'] })) {
    if (event.type !== 'check.judged') continue;
    const { id, verdict, level, reason } = event.result;
    if (verdict === 'fail' && level === 'must') return `${id}: ${reason}`;
  }
  return undefined;
}
