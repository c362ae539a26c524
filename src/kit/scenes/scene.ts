import type { Client } from '../../client/index.js';
import type { Card, Message, Transport } from '../../model/index.js';
import type { Clock, Exchange, Receiver } from '../../wire/index.js';
import type { Inspector } from '../rules/inspection.js';

/** What there is in the place of a card. */
export interface WhyNoCard {
  /** For people: what the places of a card answered, and what to do. */
  readonly told: string;
  /** A document that is not a card. */
  readonly exchange?: Exchange;
}

/** Everything that is known of the agent before the first check. */
export interface Target {
  /** As the user gave it. */
  readonly url: string;
  /** The endpoint of JSON-RPC, or the base of the paths of HTTP+JSON. */
  readonly endpoint: string;
  /** Where the card came from; undefined when none was found. */
  readonly cardUrl: string | undefined;
  readonly card: Card;
  /** The card as it came: any JSON value, undefined when none came. */
  readonly cardDocument: unknown;
  readonly cardExchange: Exchange | undefined;
  /** Undefined where there is a card, and where no place of one was asked. */
  readonly whyNoCard?: WhyNoCard;
  /** The methods of the version are not there, and these of another one do their work. */
  readonly misnamed?: { readonly exchange: Exchange; readonly told: string };
  /** The origin of the user's URL, and those that the user allowed: no other is called. */
  readonly origins: readonly string[];
  /** Credentials are sent: then no other port of the host is called, either. */
  readonly sendsCredentials?: boolean;
}

/** A task that was accepted and does not move. */
export interface Stuck {
  /** The prompt, as reports name it: "a neutral prompt", "behaviours.failed". */
  readonly prompt: string;
  /** For people. */
  readonly fact: string;
}

/** The reason without a card to judge. */
export const noCard = 'give the URL of the card with --url: the kit found no card';
export const noCardAt = ({ whyNoCard }: Target): string =>
  whyNoCard === undefined ? noCard : `the kit found no card: ${whyNoCard.told}`;

/** An interface beside the judged one, of the same version and tenant: both must answer alike. */
export interface PeerPlace {
  readonly endpoint: string;
  /** As cards name it: "GRPC". */
  readonly transport: Transport;
  readonly tenant: string | undefined;
  /** Why it is not called, and which option allows it; left out: it is called. */
  readonly barred?: string;
}

/** Prompts of the user that steer the agent; see the README. */
export type Goal =
  | 'completed'
  | 'failed'
  | 'rejected'
  | 'canceled'
  | 'input-required'
  | 'auth-required'
  | 'working'
  | 'message'
  | 'artifact-text'
  | 'artifact-file'
  | 'artifact-file-uri'
  | 'artifact-data'
  | 'streamed-chunks'
  | 'long-running';
export interface Behaviour {
  readonly text?: string;
  /** Canonical parts in place of a text. */
  readonly parts?: Message['parts'];
  readonly metadata?: Record<string, unknown>;
}
export type Behaviours = { readonly [Name in Goal]?: Behaviour };

/** Something that a pack adds to scenes, by the name of the pack. */
export interface ScenePart<T> {
  readonly pack: string;
  /** Never set: it carries the type. */
  readonly type?: T;
}

/** Makes the key by which the checks of a pack find what it adds to scenes. */
export const scenePart = <T>(pack: string): ScenePart<T> => ({ pack });

/** What the kit has to know of callers who sign. */
export interface SigningCallers {
  /** The pack that signs: checks and keys about it begin with its name. */
  readonly pack: string;
  /** What the user has to do if the agent knows no caller. */
  readonly advice: string;
  /** What must be so before a second caller shows anything. */
  readonly second: Source<unknown>;
}

/** Everything that a check may use. */
export interface Scene {
  readonly client: Client;
  readonly target: Target;
  readonly card: Card;
  /** The other interfaces of the same version and tenant that the card declares and the kit speaks. */
  readonly peers: readonly PeerPlace[];
  readonly clock: Clock;
  readonly behaviours: Behaviours;
  /** How long to wait for a task to settle, ms. */
  readonly patienceMs: number;
  /** Validates documents against the schemas of the dialect. */
  readonly inspector: Inspector;
  /** Webhooks of the kit; undefined where there are none, and `webhookOff` says why. */
  readonly webhook: Receiver | undefined;
  readonly webhookOff: string;
  /**
   * Restarts the agent, and waits until it answers again; undefined if the user did not say how. Throws
   * `PreconditionUnmet`.
   */
  readonly restart: (() => Promise<void>) | undefined;
  /** What a pack adds: that of the agent's profile, or of its payments; undefined in runs without it. */
  part<T>(part: ScenePart<T>): T | undefined;
  /** Callers that the agent knows in another way than by headers; undefined: it knows no such way. */
  readonly signing: SigningCallers | undefined;
  /**
   * Whether the agent is slow, and takes many requests at once. A check that runs last may then send requests together
   * that it sends in turn only to know which one broke the agent. If it does not pass, it runs again, and this is false
   * then.
   */
  takesMany(): boolean;
  /**
   * Awaits what only takes time, such as an answer that may never come: other checks go on meanwhile. Not where one
   * request at a time is asked for. Call it from one place of a check at a time.
   */
  aside<T>(waiting: Promise<T>): Promise<T>;
  /**
   * Runs jobs that do not depend on each other at the same time, as far as the agent takes requests at once; where one
   * request at a time is asked for, in turn.
   */
  sideBySide<const Jobs extends readonly (() => Promise<unknown>)[]>(
    ...jobs: Jobs
  ): Promise<{ -readonly [At in keyof Jobs]: Awaited<ReturnType<Jobs[At]>> }>;
  /** Names a task that the agent accepted and that does not move, though its prompt should lead to an end. */
  stuck(taskId: string, stuck: Stuck): void;
  /** A fresh random UUID, from the seed of the run. */
  uuid(): string;
  /**
   * A message of the user with a fresh messageId. Without a text: the one of `behaviours.completed`, or else a neutral,
   * cheap prompt.
   */
  say(text?: string): Message;
  /** The value of a source: shared ones are found once per run, fresh ones each time. */
  use<T>(source: Source<T>): Promise<T>;
}

/** A way to bring any agent into the state that a check needs. Throws `PreconditionUnmet` or `NotApplicable`. */
export interface Source<T> {
  /** Reads after "Given": "a completed task". */
  readonly about: string;
  readonly shared: boolean;
  find(scene: Scene): Promise<T>;
}

/** Found once per run; checks that use it must not change it. */
export const source = <T>(about: string, find: (scene: Scene) => Promise<T>): Source<T> => ({
  about,
  shared: true,
  find,
});

/** Made anew for each check, which may use it up. */
export const fresh = <T>(about: string, find: (scene: Scene) => Promise<T>): Source<T> => ({
  about,
  shared: false,
  find,
});

/** A prompt for an unknown agent: short, harmless, and one that every agent can answer. */
export const neutralPrompt = 'Hello! Please answer in one short sentence.';

/** A message of the user with the content of a behaviour. */
export const spoken = (uuid: () => string, { text = neutralPrompt, parts, metadata }: Behaviour): Message => ({
  messageId: uuid(),
  role: 'user',
  parts: parts ?? [{ kind: 'text', text }],
  ...(metadata === undefined ? {} : { metadata }),
});
