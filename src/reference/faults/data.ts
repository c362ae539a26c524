import { edited, onArtifact, onStatus, onTask, set, without } from '../edits.js';
import { fault } from '../fault.js';
import { allBut, before10 } from '../variant.js';

/** Tasks, statuses and artifacts; messages and parts have files of their own. */
export const dataFaults = [
  fault('data-task-without-context-id', {
    about: 'Tasks have no contextId.',
    breaks: ['data.task-context-id', 'send.context-id-made'],
    profiles: before10,
    patch: onTask((task) => without(task, 'contextId')),
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
  fault('data-states-of-the-proto', {
    about: 'States are spelled as in the protobuf.',
    breaks: ['data.task-state'],
    patch: onStatus((status) =>
      edited(status, 'state', (state) => `TASK_STATE_${String(state).toUpperCase().replace('-', '_')}`),
    ),
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
];
