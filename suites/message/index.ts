import type { Rule } from '../../src/kit/index.js';
import * as apart from './apart.js';
import * as blocking from './blocking.js';
import * as configuration from './configuration.js';
import * as context from './context.js';
import * as continuation from './continuation.js';
import * as defects from './defects.js';
import * as ownContext from './own-context.js';
import * as params from './params.js';
import * as parts from './parts.js';
import * as reply from './reply.js';
import * as send from './send.js';
import * as terminal from './terminal.js';

export const messageRules: readonly Rule[] = [
  send,
  apart,
  context,
  ownContext,
  continuation,
  terminal,
  defects,
  params,
  parts,
  configuration,
  blocking,
  reply,
].flatMap((file): readonly Rule[] => Object.values(file));
