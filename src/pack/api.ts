import {
  type CallOptions,
  check as checkOfKit,
  type Given,
  type Law,
  type LawOptions,
  law as lawOfKit,
  type Scene,
} from '../kit/index.js';

// The published door: `a2a-tck/pack`. Everything that a pack is made of, and nothing that sends or reads by itself.

export {
  accepted,
  answered,
  type CallOptions,
  type Card,
  type Check,
  type Document,
  describe,
  type ErrorName,
  type Exchange,
  fresh,
  type Given,
  header,
  inconclusive,
  isObject,
  isString,
  type JsonObject,
  type Judgement,
  type Law,
  type LawOptions,
  member,
  NotApplicable,
  type Outcome,
  PreconditionUnmet,
  type Reading,
  type Refusal,
  type Result,
  type Rule,
  refused,
  refusedAs,
  type Scene,
  type Source,
  source,
  type Target,
  type Task,
} from '../kit/index.js';
export {
  type AgentClock,
  extending,
  onArtifact,
  onCard,
  onMessage,
  onTask,
  type Patch,
  remembering,
  together,
} from './agent.js';
export {
  definePack,
  type Pack,
  type PackDefinition,
  type PackFault,
  type PackOption,
  type PackRow,
  type PackSettings,
  type PackVariant,
} from './define.js';
export { type ConformsOptions, conforms, membersNamed, type Place } from './places.js';

type Keys = readonly [string, ...string[]];

/** Starts a check, as those of the kit are written. `keys` are those of rows of the pack. */
export const check = checkOfKit as unknown as (id: `${string}/${string}`, ...keys: Keys) => Given<object>;

/** A law over all exchanges of a run. `keys` are those of rows of the pack. */
export const law = lawOfKit as unknown as (
  id: `${string}/${string}`,
  keys: string | Keys,
  about: string,
  options: LawOptions,
  judge: Law['judge'],
) => Law;

const extensionHeaders = ['A2A-Extensions', 'X-A2A-Extensions'];

/** Options of a call that asks for these extensions and for no other, in the header of the agent's version. */
export const asking = ({ client }: Scene, ...uris: readonly string[]): CallOptions => ({
  headers: uris.length === 0 ? [] : [[client.dialect.extensionHeader, uris.join(', ')]],
  without: extensionHeaders,
});
