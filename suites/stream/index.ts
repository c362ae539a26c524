import type { Rule } from '../../src/kit/index.js';
import * as artifact from './artifact.js';
import * as asking from './asking.js';
import * as cancel from './cancel.js';
import * as ending from './ending.js';
import * as events from './events.js';
import * as followUp from './follow-up.js';
import * as immediate from './immediate.js';
import * as message from './message.js';
import * as oneContext from './one-context.js';
import * as order from './order.js';
import * as refusals from './refusals.js';
import * as several from './several.js';
import * as subscribe from './subscribe.js';
import * as subscribeRefusals from './subscribe-refusals.js';
import * as task from './task.js';
import * as transport from './transport.js';
import * as undeclared from './undeclared.js';

export const streamRules: readonly Rule[] = [
  transport,
  message,
  events,
  order,
  ending,
  immediate,
  asking,
  followUp,
  oneContext,
  artifact,
  task,
  several,
  subscribe,
  cancel,
  refusals,
  subscribeRefusals,
  undeclared,
].flatMap((file): readonly Rule[] => Object.values(file));
