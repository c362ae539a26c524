import { bundledClientRules } from '../../packs/rules.js';
import type { ClientCheck } from '../../src/kit/index.js';
import * as access from './access.js';
import * as answers from './answers.js';
import * as discovery from './discovery.js';
import * as lists from './lists.js';
import * as push from './push.js';
import * as requests from './requests.js';
import * as streams from './streams.js';
import * as tasks from './tasks.js';

const files = [discovery, requests, access, streams, answers, tasks, lists, push];

/** All checks of clients, in the order in which they are listed and reported. */
export const clientRules: readonly ClientCheck[] = [
  ...files.flatMap((file): readonly ClientCheck[] => Object.values(file)),
  ...bundledClientRules,
];
