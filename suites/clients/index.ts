import { bundledClientRules } from '../../packs/rules.js';
import type { ClientCheck } from '../../src/kit/index.js';
import { accessRules } from './access.js';
import { answersRules } from './answers.js';
import { discoveryRules } from './discovery.js';
import { listsRules } from './lists.js';
import { pushRules } from './push.js';
import { requestRules } from './requests.js';
import { streamRules } from './streams.js';
import { tasksRules } from './tasks.js';

/** All checks of clients, in the order in which they are listed and reported. */
export const clientRules: readonly ClientCheck[] = [
  ...discoveryRules,
  ...requestRules,
  ...accessRules,
  ...streamRules,
  ...answersRules,
  ...tasksRules,
  ...listsRules,
  ...pushRules,
  ...bundledClientRules,
];
