import type { Rule } from '../../src/kit/index.js';
import * as answers from './answers.js';
import * as errors from './errors.js';
import * as requests from './requests.js';
import * as service from './service.js';
import * as transport from './transport.js';

/** What belongs to gRPC. */
export const grpcRules: readonly Rule[] = [service, answers, errors, requests, transport].flatMap(
  (file): readonly Rule[] => Object.values(file),
);
