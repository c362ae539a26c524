import type { Rule } from '../../src/kit/index.js';
import * as batch from './batch.js';
import * as codes from './codes.js';
import * as details from './details.js';
import * as envelope from './envelope.js';
import * as errors from './errors.js';
import * as http from './http.js';
import * as ids from './ids.js';
import * as methods from './methods.js';
import * as robustness from './robustness.js';

export const rpcRules: readonly Rule[] = [
  envelope,
  ids,
  codes,
  errors,
  details,
  methods,
  batch,
  http,
  robustness,
].flatMap((file): readonly Rule[] => Object.values(file));
