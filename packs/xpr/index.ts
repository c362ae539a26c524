import type { Rule } from '../../src/kit/index.js';
import * as answers from './answers.js';
import * as bodies from './bodies.js';
import * as card from './card.js';
import * as chain from './chain.js';
import * as errors from './errors.js';
import * as headers from './headers.js';
import * as keys from './keys.js';
import * as methods from './methods.js';
import * as ownership from './ownership.js';
import * as rate from './rate.js';
import * as replay from './replay.js';
import * as signatures from './signatures.js';
import * as timestamps from './timestamps.js';
import * as trust from './trust.js';
import * as unsigned from './unsigned.js';

// Checks of the limits run last: they use up the requests that the agent allows in a minute.
const files = [
  card,
  headers,
  signatures,
  methods,
  bodies,
  keys,
  chain,
  timestamps,
  replay,
  ownership,
  unsigned,
  trust,
  errors,
  answers,
  rate,
];

export const xprRules: readonly Rule[] = files.flatMap((file): readonly Rule[] => Object.values(file));
