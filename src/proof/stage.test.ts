import { expect, test } from 'vitest';
import type { Row } from './cell.js';
import { type Job, openStage } from './stage.js';

// Who is judged by its haste plays when no other plays, whatever profile the others are of.

const job = (id: string): Job => ({ profile: 'a2a-1.0', of: 'clients', role: { type: 'fault', id } });
const modules = { agents: '', clients: '' };

/** A stage whose threads end a job on request. */
function stageOf(threads: number, width: number) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const stage = openStage({ threads, width, modules }, () => {
    let tell: (message: { readonly id: number; readonly row: Row }) => void = () => undefined;
    return {
      on: (event: string, hear: unknown) => {
        if (event === 'message') tell = hear as typeof tell;
      },
      postMessage({ id, job: { role } }) {
        const name = role.type === 'clean' ? 'clean' : role.id;
        began.push(name);
        ends.set(name, () => tell({ id, row: { role } as Row }));
      },
      terminate: async () => undefined,
    };
  });
  return { stage, began, end: (name: string) => ends.get(name)?.() };
}

test('a client that plays alone begins when all others have ended, and the others wait for its end', async () => {
  const { stage, began, end } = stageOf(2, 2);
  const first = stage.play(job('first'));
  const hasty = stage.playAlone(job('hasty'));
  const second = stage.play(job('second'));
  expect(began).toEqual(['first', 'second']);
  end('first');
  await first;
  expect(began).toEqual(['first', 'second']);
  end('second');
  await second;
  expect(began).toEqual(['first', 'second', 'hasty']);
  const [other, third] = [stage.playAlone(job('other')), stage.play(job('third'))];
  expect(began).toHaveLength(3);
  end('hasty');
  await hasty;
  expect(began).toEqual(['first', 'second', 'hasty', 'third']);
  end('third');
  await third;
  expect(began.at(-1)).toBe('other');
  end('other');
  await other;
});
