import type { Behaviour } from '../kit/index.js';
import type { Artifact, JsonObject, StreamEvent, TaskState } from '../model/index.js';
import type { Secret } from '../wire/index.js';

/** The last answer of a conversation, as functions of the user get it. */
export interface ExpectedAnswer {
  /** `message`: it answered with a message and no task. */
  readonly state: TaskState | 'message';
  /** All text parts, one a line. */
  readonly text: string;
  readonly artifacts: readonly Artifact[];
  /** The values of all structured parts. */
  readonly data: readonly unknown[];
  /** The updates of the stream; empty where the answer was not streamed. */
  readonly events: readonly StreamEvent[];
  /** From the last message to the end of the answer. */
  readonly seconds: number;
}

/** What a user expects of the answer to a prompt, beside the protocol. */
export interface Expectation {
  /** Unique. */
  readonly name: string;
  readonly prompt: string | Behaviour;
  /** What the user says next, each after the answer before it: the last answer is judged. */
  readonly next?: readonly (string | Behaviour)[];
  /** One of these; `message`: it answers with a message and no task. */
  readonly state?: TaskState | 'message' | readonly (TaskState | 'message')[];
  /** Texts that are all in the answer, in any case. */
  readonly contains?: string | readonly string[];
  /** Texts of which none is in the answer, in any case. */
  readonly lacks?: string | readonly string[];
  /** The same for secrets: they appear in no output. */
  readonly never?: string | readonly string[];
  /** A regular expression, with the flag u. */
  readonly matches?: string;
  /** Media type of a part of an artifact; `image/*` fits all images. */
  readonly artifact?: string;
  /** JSON Schema that structured data of the answer fits. */
  readonly data?: JsonObject | boolean;
  /**
   * Throws, or rejects, where the answer is not right: what it throws is the problem. It has 30 s. For programs only: a
   * file cannot hold it.
   */
  readonly holds?: (answer: ExpectedAnswer) => void | Promise<void>;
  /** Seconds from the last message to the end of the answer, at most. */
  readonly within?: number;
  /** Seconds to the first event of a stream, at most: the last message is streamed. */
  readonly first?: number;
  /** How often it is asked; default 1. */
  readonly runs?: number;
  /** How often it must hold; default: each time. */
  readonly least?: number;
}

export const listOf = <T extends string>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

/** Texts of the user that must appear in no output, also where they are plain words. */
export const secretsOfExpectations = (list: readonly Expectation[]): readonly Secret[] =>
  list.flatMap(({ never }) => listOf(never).map((own) => ({ own })));

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ');

/** What must hold, one line each; secrets are counted only. */
export function demandsOf(expectation: Expectation): readonly string[] {
  const { state, contains, lacks, never, matches, artifact, data, holds, within, first } = expectation;
  const { runs = 1, least = runs } = expectation;
  const secrets = listOf(never).length;
  return [
    ...(state === undefined ? [] : [`the state is ${listOf(state).join(' or ')}`]),
    ...(contains === undefined ? [] : [`the text contains ${quoted(listOf(contains))}`]),
    ...(matches === undefined ? [] : [`the text matches ${matches}`]),
    ...(lacks === undefined ? [] : [`nothing contains ${quoted(listOf(lacks))}`]),
    ...(secrets === 0 ? [] : [`nothing contains ${secrets === 1 ? 'the secret' : `any of ${secrets} secrets`}`]),
    ...(artifact === undefined ? [] : [`an artifact is ${artifact}`]),
    ...(data === undefined ? [] : ['data fits the schema']),
    ...(holds === undefined ? [] : ['its function holds']),
    ...(within === undefined ? [] : [`the answer ends within ${within} s`]),
    ...(first === undefined ? [] : [`the first event of the stream comes within ${first} s`]),
    ...(runs === 1 ? [] : [`this holds ${least} of ${runs} times`]),
  ];
}

/** Finer than the times of a run: a user may expect a first event within half a second. */
export const inSeconds = (ms: number): string => `${Math.round(ms / 10) / 100} s`;
