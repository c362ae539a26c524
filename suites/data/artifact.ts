import {
  aTaskWith,
  type BrokenPlace,
  brief,
  type Check,
  check,
  conforms,
  type Document,
  isString,
  law,
  member,
  type Outcome,
  repeatedIn,
  type Task,
} from '../../src/kit/index.js';
import { artifactsKept } from '../shared/kept.js';
import { ofTask } from '../task/answers.js';
import { artifactsOf, shown } from './shown.js';

// A2A 0.3 §6.7 Artifact Object, §7.3 tasks/get.

const noArtifact = { otherwise: 'set behaviours.artifact-text: no task with artifacts came' };

// In our words (1.0, 4.1.7 Artifact): Artifact.artifactId is a non-empty string.
export const id = conforms(
  'data/artifact-id',
  'data.artifact-id',
  'give each artifact an artifactId that is a string',
  {
    ...noArtifact,
    advice: 'Make an id when the artifact is made, a UUID for example, and keep it as a text. An index is not an id.',
  },
);

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
};

const repeatedIds = ({ value }: Document): readonly BrokenPlace[] => {
  const ids = listIn(value, 'artifacts').map((artifact) => member(artifact, 'artifactId'));
  return ids.flatMap((found, at) =>
    isString(found) && found !== '' && ids.indexOf(found) < at
      ? [{ path: `/artifacts/${at}/artifactId`, problem: 'is the id of an earlier artifact too', seen: brief(found) }]
      : [],
  );
};

// In our words (1.0, 4.1.7 Artifact): artifactId values are unique within one task.
export const idsUnique = law(
  'data/artifact-ids-unique',
  'data.artifact-ids-unique',
  'use each artifactId once in a task',
  {
    ...noArtifact,
    advice:
      'Make a new id for each artifact. A new version of an artifact takes the place of the old one, it is not added beside it.',
    places: repeatedIds,
  },
  (reading) => {
    const ids = artifactsOf(shown(reading)).flatMap(({ artifactId }) => (artifactId === '' ? [] : [artifactId]));
    const twice = repeatedIn(ids);
    if (twice !== undefined) return `two artifacts of one task have the id ${twice}`;
    return ids.length > 0 ? 'holds' : 'not-concerned';
  },
);

// A name is optional in A2A itself; some dialects require one.
// In our words (terminal-bench, A2A Compliance Checklist): Artifacts have a name.
export const named = law(
  'data/artifact-name',
  'data.artifact-name',
  'give each artifact a name',
  {
    ...noArtifact,
    advice:
      'Write the name of the tool into `name`, as a text: OpenClaw has no artifactId by which to know an artifact.',
    places: ({ value }) =>
      listIn(value, 'artifacts').flatMap((artifact, at) =>
        isString(member(artifact, 'name')) ? [] : [{ path: `/artifacts/${at}/name`, problem: 'must be a string' }],
      ),
  },
  ({ documents, valid }) => {
    const tasks = valid ? documents.filter(({ of }) => of === 'result').map(({ value }) => value) : [];
    const artifacts = tasks.flatMap((task) => member(task, 'artifacts') ?? []);
    const nameless = artifacts.find((artifact) => !isString(member(artifact, 'name')));
    if (nameless !== undefined) return `an artifact has no name: ${brief(nameless)}`;
    return artifacts.length > 0 ? 'holds' : 'not-concerned';
  },
);

// In our words (1.0, 4.1.7 Artifact): Artifact.parts is a non-empty array.
export const parts = conforms(
  'data/artifact-parts',
  'data.artifact-parts',
  'hold the parts of an artifact in an array',
  {
    ...noArtifact,
    advice: 'Write a list of parts, also for one part, under the name parts: an artifact has no member content.',
  },
);

// In our words (1.0, 4.1.7 Artifact): Optional Artifact fields have their types: name, description strings; metadata
//   object; extensions string array.
export const optional = conforms(
  'data/artifact-optional',
  'data.artifact-optional',
  'give each optional member of an artifact the right type',
  {
    otherwise: 'no artifact with a name or another optional member came',
    advice:
      'Write name and description as texts, metadata as an object, extensions as a list of texts. Leave out what is not set: no null.',
  },
);

// These checks also produce files, links and data, which the laws about parts then judge.
const readingKeeps = (id: `data/${string}`, goal: Parameters<typeof aTaskWith>[0], about: string): Check =>
  check(id, 'get.artifacts-kept')
    .given('task', aTaskWith(goal))
    .when(`the client reads a task with ${about} twice`, async ({ client, task }): Promise<Outcome<Task>> => {
      // After a blocking send, this is the first read of the task.
      await client.call('get', { id: task.id });
      return client.call('get', { id: task.id });
    })
    .expects(
      'show the artifacts unchanged',
      ofTask((after, { task }: { readonly task: Task }) => artifactsKept(task, after)),
    )
    .advice(
      'Keep artifacts with the task, and answer every reading from there: reading must neither use them up nor leave them out.',
    );

export const textKept = readingKeeps('data/text-kept', 'artifact-text', 'an artifact of text');
export const fileKept = readingKeeps('data/file-kept', 'artifact-file', 'a file');
export const linkKept = readingKeeps('data/link-kept', 'artifact-file-uri', 'a linked file');
export const dataKept = readingKeeps('data/data-kept', 'artifact-data', 'structured data');
