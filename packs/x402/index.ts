import type { Rule } from '../../src/kit/index.js';
import * as activation from './activation.js';
import * as binding from './binding.js';
import * as card from './card.js';
import * as course from './course.js';
import * as defects from './defects.js';
import * as failures from './failures.js';
import * as late from './late.js';
import * as messages from './messages.js';
import * as offer from './offer.js';
import * as paying from './paying.js';
import * as races from './races.js';
import * as receipts from './receipts.js';
import * as replay from './replay.js';
import * as shapes from './shapes.js';
import * as states from './states.js';
import * as streaming from './streaming.js';

// Ordered so that a settled payment is sent again before it expires.
const files: readonly object[] = [
  card,
  activation,
  offer,
  shapes,
  messages,
  paying,
  replay,
  races,
  course,
  receipts,
  defects,
  binding,
  states,
  failures,
  streaming,
  late,
];

export const x402Rules: readonly Rule[] = files.flatMap((file): readonly Rule[] => Object.values(file));
