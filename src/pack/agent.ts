import type { JsonObject } from '../model/index.js';
import {
  declaring,
  onArtifact as editArtifact,
  onCard as editCard,
  onMessage as editMessage,
  onTask as editTask,
  together as joined,
  type Patch as PatchOfAgent,
} from '../reference/patching.js';

// What packs may change in the reference agent. Its seams do not belong to the published door: they change with the
// kit.

declare const ofAgent: unique symbol;

/** A change to the reference agent. */
export interface Patch {
  readonly [ofAgent]: true;
}

/** The time of the agent, which is virtual in a proof. */
export interface AgentClock {
  /** ms since 1970. */
  now(): number;
}

/** Returns what is sent in the place of an object. */
type Edit = (value: JsonObject, agent: AgentClock) => unknown;

const published = (patch: PatchOfAgent): Patch => patch as unknown as Patch;

/** A patch as the reference agent takes it. */
export const ofPublished = (patch: Patch): PatchOfAgent => patch as unknown as PatchOfAgent;

const timed =
  (kind: (edit: (value: JsonObject) => unknown) => PatchOfAgent) =>
  (edit: Edit): Patch =>
    published((inner, world, whole) =>
      kind((value) => edit(value, { now: () => world.clock.now() }))(inner, world, whole),
    );

/** Edits the card before the agent serves it. */
export const onCard = timed(editCard);
/** Edits every Task that the agent sends, as the version spells it. */
export const onTask = timed(editTask);
/** Edits every Message that the agent sends: results, status messages, histories with what the client sent. */
export const onMessage = timed(editMessage);
/** Edits every Artifact that the agent sends. */
export const onArtifact = timed(editArtifact);

/** A patch that remembers something: each agent gets one of its own. */
export const remembering = (make: () => Patch): Patch =>
  published((inner, world, whole) => ofPublished(make())(inner, world, whole));

/** Several patches as one; later ones see what earlier ones made. */
export const together = (...patches: readonly Patch[]): Patch => published(joined(...patches.map(ofPublished)));

/**
 * The reference agent declares the extension. What `patch` does to the results and events that it sends counts only
 * where a call asks for the extension.
 */
export const extending = (uri: string, patch: Patch): Patch =>
  published(
    joined(
      declaring(({ capabilities }) => ({
        capabilities: { ...capabilities, extensions: [...capabilities.extensions, { uri, required: false }] },
      })),
      (inner, world, whole) => {
        const { encode = inner.encode, ...rest } = ofPublished(patch)(inner, world, whole);
        return {
          ...rest,
          encode: (outcome, call) =>
            (whole.activated(call.request).includes(uri) ? encode : inner.encode)(outcome, call),
        };
      },
    ),
  );
