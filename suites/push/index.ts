import type { Rule } from '../../src/kit/index.js';
import * as delivery from './delivery.js';
import * as get from './get.js';
import * as internal from './internal.js';
import * as list from './list.js';
import * as payload from './payload.js';
import * as refusals from './refusals.js';
import * as set from './set.js';
import * as states from './states.js';
import * as trouble from './trouble.js';

export const pushRules: readonly Rule[] = [
  set,
  get,
  list,
  refusals,
  delivery,
  states,
  payload,
  trouble,
  internal,
].flatMap((file): readonly Rule[] => Object.values(file));
