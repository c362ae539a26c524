import { expect, test } from 'vitest';
import { changesAt, placesOfValue } from './answers.js';

const answer = { task: { id: 'a1', status: { state: 'working' }, artifactIds: [1, 2] } };

/** The JSON text of a change at a place, by its name. */
function made(path: string, name: string, others: readonly string[] = []): string | undefined {
  const place = [...placesOfValue(answer)].find((place) => place.path === path);
  if (place === undefined) throw new Error(`no place ${path}`);
  const [, change] = changesAt(place, others).find(([called]) => called === name) ?? [];
  return change?.(answer);
}

test('every place of an answer is there once for each member and item', () => {
  expect([...placesOfValue(answer)].map(({ pointer, path }) => `${pointer} ${path}`)).toEqual([
    ' ',
    '/task /task',
    '/task/id /task/id',
    '/task/status /task/status',
    '/task/status/state /task/status/state',
    '/task/artifactIds /task/artifactIds',
    '/task/artifactIds/0 /task/artifactIds/*',
    '/task/artifactIds/1 /task/artifactIds/*',
  ]);
});

test('a member is left out, gets another type, another word and another name, and comes twice', () => {
  expect(made('/task/id', 'missing')).toBe('{"task":{"status":{"state":"working"},"artifactIds":[1,2]}}');
  expect(made('/task/id', 'null')).toContain('"id":null');
  expect(made('/task/status/state', 'as "completed"', ['completed'])).toContain('"state":"completed"');
  expect(made('/task/artifactIds', 'in snake case')).toContain('"artifact_ids":[1,2]');
  expect(made('/task/artifactIds', 'each item twice')).toContain('[1,2,1,2]');
  expect(made('/task/id', 'twice')).toContain('"id":"a1","status"');
  expect(made('/task/id', 'twice')).toMatch(/"id":"a1"\}\}$/);
});

test('the changes of a place are always the same', () => {
  const names = () => [...placesOfValue(answer)].flatMap((place) => changesAt(place, []).map(([name]) => name));
  expect(names()).toEqual(names());
  expect(new Set(changesAt([...placesOfValue(answer)][2] as never, []).map(([name]) => name)).size).toBe(
    changesAt([...placesOfValue(answer)][2] as never, []).length,
  );
});
