import type { Rule } from '../src/kit/index.js';
import { cardRules } from './card/index.js';
import { dataRules } from './data/index.js';
import { messageRules } from './message/index.js';
import { rpcRules } from './rpc/index.js';
import { taskRules } from './task/index.js';

/** Every check and law, a folder a chapter, in the order in which they are listed and reported. */
export const rules: readonly Rule[] = [...cardRules, ...rpcRules, ...messageRules, ...taskRules, ...dataRules];
