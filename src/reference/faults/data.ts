import { isObject, type JsonObject } from '../../model/index.js';
import { edited, onArtifact, onStatus, onTask, set, without } from '../edits.js';
import { fault } from '../fault.js';
import { allBut, before10 } from '../variant.js';
import { plainWord, spelledLike } from '../words.js';

/** Renames a member, if it is there. */
const renamed = (value: JsonObject, from: string, to: string): JsonObject => {
  const { [from]: member, ...others } = value;
  return member === undefined ? value : { ...others, [to]: member };
};

/** Tasks, statuses and artifacts; messages and parts have files of their own. */
export const dataFaults = [
  fault('data-member-twice', {
    about: 'Statuses have their state twice.',
    breaks: ['data.unique-members'],
    notOver: ['grpc'],
    patch: (inner) => ({
      print(value) {
        const text = inner.print(value);
        return typeof text === 'string' ? text.replaceAll(/"state":"[^"]*"/g, '$&,$&') : text;
      },
    }),
  }),
  fault('data-task-without-kind', {
    about: 'Tasks have no kind.',
    breaks: ['data.task-kind'],
    patch: onTask((task) => without(task, 'kind')),
  }),
  fault('data-task-kind-in-capitals', {
    about: 'Tasks are of the kind Task.',
    breaks: ['data.task-kind'],
    patch: onTask((task) => set(task, 'kind', 'Task')),
  }),
  fault('data-task-id-is-a-number', {
    about: 'The id of a task is a number.',
    breaks: ['data.task-id'],
    notOver: ['grpc'],
    patch: onTask((task) => set(task, 'id', 42)),
  }),
  fault('data-task-without-id', {
    about: 'Tasks have a uuid and no id.',
    breaks: ['data.task-id'],
    patch: onTask((task) => renamed(task, 'id', 'uuid')),
  }),
  fault('data-task-without-context-id', {
    about: 'Tasks have no contextId.',
    breaks: ['data.task-context-id', 'send.context-id-made'],
    profiles: before10,
    patch: onTask((task) => without(task, 'contextId')),
  }),
  fault('data-task-context-id-is-a-number', {
    about: 'The contextId of a task is a number.',
    breaks: ['data.task-context-id'],
    notOver: ['grpc'],
    patch: onTask((task) => set(task, 'contextId', 7)),
  }),
  fault('data-task-context-id-is-null', {
    about: 'The contextId of a task is null.',
    breaks: ['data.task-context-id', 'data.no-nulls'],
    patch: onTask((task) => set(task, 'contextId', null)),
  }),
  fault('data-task-status-is-a-word', {
    about: 'The status of a task is its state.',
    breaks: ['data.task-status'],
    notOver: ['grpc'],
    patch: onTask((task) => edited(task, 'status', (status) => (isObject(status) ? status['state'] : status))),
  }),
  fault('data-task-without-status', {
    about: 'Tasks have a state and no status.',
    breaks: ['data.task-status'],
    patch: onTask(({ status, ...task }) => ({ ...task, state: isObject(status) ? status['state'] : status })),
  }),
  fault('data-artifacts-are-a-map', {
    about: 'The artifacts of a task are an object.',
    breaks: ['data.task-artifacts'],
    notOver: ['grpc'],
    patch: onTask((task) => edited(task, 'artifacts', (list) => ({ ...(list as readonly unknown[]) }))),
  }),
  fault('data-artifacts-are-texts', {
    about: 'The artifacts of a task are strings.',
    breaks: ['data.task-artifacts'],
    notOver: ['grpc'],
    patch: onTask((task) => edited(task, 'artifacts.*', () => 'an artifact')),
  }),
  fault('data-history-is-a-text', {
    about: 'The history of a task is a string.',
    breaks: ['data.task-history'],
    notOver: ['grpc'],
    patch: onTask((task) => edited(task, 'history', () => 'user: Hello!')),
  }),
  fault('data-history-of-texts', {
    about: 'The history of a task holds strings.',
    breaks: ['data.task-history'],
    notOver: ['grpc'],
    patch: onTask((task) => edited(task, 'history.*', () => 'Hello!')),
  }),
  fault('data-task-metadata-is-an-array', {
    about: 'The metadata of a task is an array.',
    breaks: ['data.task-metadata'],
    notOver: ['grpc'],
    patch: onTask((task) => set(task, 'metadata', [])),
  }),
  fault('data-nulls-for-absent-members', {
    about: 'Members that a task does not have are null.',
    breaks: ['data.no-nulls', 'data.task-artifacts', 'data.task-metadata'],
    profiles: allBut('a2a-1.0'),
    patch: onTask((task) => ({ artifacts: null, ...task, metadata: null })),
  }),
  fault('data-task-in-snake-case', {
    about: 'Tasks have a context_id.',
    breaks: ['data.camel-case', 'data.task-context-id'],
    notOver: ['grpc'],
    patch: onTask((task) => renamed(task, 'contextId', 'context_id')),
  }),
  fault('data-status-without-state', {
    about: 'The state of a task is called status.',
    breaks: ['data.task-state'],
    patch: onStatus((status) => renamed(status, 'state', 'status')),
  }),
  fault('data-states-of-the-proto', {
    about: 'States are spelled as in the protobuf.',
    breaks: ['data.task-state'],
    patch: onStatus((status) =>
      edited(status, 'state', (state) => `TASK_STATE_${String(state).toUpperCase().replace('-', '_')}`),
    ),
  }),
  fault('data-state-cancelled', {
    about: 'A canceled task is cancelled.',
    breaks: ['data.task-state'],
    patch: onStatus((status) =>
      edited(status, 'state', (state) => (plainWord(state) === 'canceled' ? spelledLike(state, 'cancelled') : state)),
    ),
  }),
  fault('data-state-unspecified', {
    about: 'A task that was only submitted is in no state at all.',
    breaks: ['data.state-unspecified'],
    notOver: ['grpc'],
    profiles: ['a2a-1.0'],
    patch: onStatus((status) =>
      edited(status, 'state', (state) =>
        plainWord(state) === 'submitted' ? spelledLike(state, 'unspecified') : state,
      ),
    ),
  }),
  fault('data-task-with-kind', {
    about: 'Tasks have a kind, as in 0.3.',
    breaks: ['data.no-kind'],
    profiles: ['a2a-1.0'],
    patch: onTask((task) => set(task, 'kind', 'task')),
  }),
  fault('data-timestamp-with-offset', {
    about: 'Timestamps have an offset in place of Z.',
    breaks: ['data.timestamp'],
    profiles: ['a2a-1.0'],
    patch: onStatus((status) => edited(status, 'timestamp', (time) => String(time).replace('Z', '+00:00'))),
  }),
  fault('data-timestamp-is-a-number', {
    about: 'Timestamps are numbers.',
    breaks: ['data.timestamp'],
    patch: onStatus((status) => edited(status, 'timestamp', (time) => Date.parse(String(time)))),
  }),
  fault('data-timestamps-in-seconds', {
    about: 'Timestamps are those of seconds that were taken for milliseconds.',
    breaks: ['data.timestamp-now'],
    patch: onStatus((status) =>
      edited(status, 'timestamp', (time) => new Date(Date.parse(String(time)) / 1000).toISOString()),
    ),
  }),
  fault('data-timestamp-in-words', {
    about: 'Timestamps are written as in mail.',
    breaks: ['data.timestamp'],
    patch: onStatus((status) => edited(status, 'timestamp', (time) => new Date(String(time)).toUTCString())),
  }),
  fault('data-artifact-index-instead-of-id', {
    about: 'Artifacts have an index and no id, as in 0.1.',
    breaks: ['data.artifact-id'],
    patch: onArtifact(({ artifactId, ...artifact }) => ({ ...artifact, index: 0 })),
  }),
  fault('data-artifact-id-is-a-number', {
    about: 'The id of an artifact is a number.',
    breaks: ['data.artifact-id'],
    notOver: ['grpc'],
    patch: onArtifact((artifact) => set(artifact, 'artifactId', 1)),
  }),
  fault('data-artifact-id-is-empty', {
    about: 'The id of an artifact is empty.',
    breaks: ['data.artifact-id'],
    patch: onArtifact((artifact) => set(artifact, 'artifactId', '')),
  }),
  fault('data-artifacts-of-one-id', {
    about: 'Every artifact is there twice.',
    breaks: ['data.artifact-ids-unique'],
    patch: onTask((task) => edited(task, 'artifacts', (list) => [list, list].flat())),
  }),
  fault('data-artifact-parts-are-an-object', {
    about: 'The parts of an artifact are one part.',
    breaks: ['data.artifact-parts'],
    notOver: ['grpc'],
    patch: onArtifact((artifact) => edited(artifact, 'parts', (parts) => [parts].flat()[0])),
  }),
  fault('data-artifact-without-parts', {
    about: 'Artifacts have content and no parts.',
    breaks: ['data.artifact-parts'],
    patch: onArtifact((artifact) => renamed(artifact, 'parts', 'content')),
  }),
  fault('data-artifact-name-is-null', {
    about: 'The name of an artifact is null.',
    breaks: ['data.artifact-optional', 'data.artifact-name', 'data.no-nulls'],
    // OpenClaw requires the name; since 1.0 null means that the name is not set.
    profiles: allBut('openclaw', 'a2a-1.0'),
    patch: onArtifact((artifact) => set(artifact, 'name', null)),
  }),
  fault('data-artifact-name-is-a-number', {
    about: 'The name of an artifact is a number.',
    breaks: ['data.artifact-name'],
    patch: onArtifact((artifact) => set(artifact, 'name', 7)),
  }),
  fault('data-artifact-without-name', {
    about: 'Artifacts have a title and no name.',
    breaks: ['data.artifact-name'],
    patch: onArtifact((artifact) => renamed(artifact, 'name', 'title')),
  }),
  fault('data-artifact-description-is-an-object', {
    about: 'The description of an artifact is an object.',
    breaks: ['data.artifact-optional'],
    notOver: ['grpc'],
    patch: onArtifact((artifact) => set(artifact, 'description', { en: 'An artifact.' })),
  }),
  fault('data-artifact-extensions-are-a-map', {
    about: 'The extensions of an artifact are an object.',
    breaks: ['data.artifact-optional'],
    notOver: ['grpc'],
    profiles: allBut('xpr', 'xpr-v2'),
    patch: onArtifact((artifact) => set(artifact, 'extensions', { 'https://vendor.example/ext': {} })),
  }),
  fault('data-artifacts-in-snake-case', {
    about: 'Artifacts have an artifact_id.',
    breaks: ['data.camel-case', 'data.artifact-id'],
    notOver: ['grpc'],
    // OpenClaw has no ids of artifacts.
    profiles: allBut('openclaw'),
    patch: onArtifact((artifact) => renamed(artifact, 'artifactId', 'artifact_id')),
  }),
  fault('data-artifact-index-beside-id', {
    about: 'Artifacts have an index as well as an id.',
    breaks: ['data.no-unknown-members'],
    profiles: allBut('xpr', 'xpr-v2'),
    patch: onArtifact((artifact) => set(artifact, 'index', 0)),
  }),
];
