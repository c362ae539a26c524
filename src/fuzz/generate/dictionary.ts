import { type Behaviour, type Behaviours, type Goal, neutralPrompt, steers } from '../../kit/index.js';
import type { Card, Part } from '../../model/index.js';
import type { Value } from '../case/case.js';
import type { RandomSource } from './random-source.js';

/** One way to ask for something. */
export interface Prompt {
  readonly text: string;
  /** Begins the messageId, for agents that are steered by it. */
  readonly messageIdWord: string;
  /** Canonical parts in place of the text. */
  readonly parts?: readonly Part[];
  readonly metadata?: Record<string, unknown>;
}

/** Words that this agent may know: from its card, from the user, from what it answered. */
export interface Dictionary {
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  readonly skills: readonly string[];
  readonly extensions: readonly string[];
  /** Where notifications may go. Never the address of another server. */
  readonly webhook: string;
  /** Short plain texts. */
  readonly words: readonly string[];
  /** Names of metadata members in answers; bounded. Ids are never kept: references name them. */
  readonly seen: readonly string[];
  /** Best first: the user's behaviour, then the words of the kit. */
  promptsFor(goal: Goal): readonly Prompt[];
  /** A cheap prompt: mostly a neutral one, now and then one that brings about another state. */
  prompt(randomSource: RandomSource): Prompt;
  remember(name: string): void;
}

/** Goals that end or stop at once, so that many can be asked for. */
const cheap: readonly Goal[] = [
  'completed',
  'failed',
  'rejected',
  'input-required',
  'auth-required',
  'message',
  'artifact-text',
  'artifact-file',
  'artifact-file-uri',
  'artifact-data',
  'streamed-chunks',
];

const plainWords: readonly string[] = [
  'Hello!',
  neutralPrompt,
  'Was ist 2 + 2?',
  'こんにちは 🙂',
  'yes',
  'blue',
  'one\ntwo\tthree',
  '{"json": [1, 2, 3]}',
  '# Heading\n\n- item',
  'a'.repeat(200),
];

const mostSeen = 64;
/** Names with a prefix belong to an extension, which says what they mean. */
const isPlain = /^[a-z][\w-]{0,39}$/i;

interface DictionaryOptions {
  readonly card: Card;
  readonly behaviours: Behaviours;
  /** A webhook of the kit. Default: an address of RFC 2606, which no server has. */
  readonly webhook?: string;
}

const unique = (list: readonly string[]): readonly string[] => [...new Set(list)].slice(0, 50);

function promptOf(goal: Goal, { text, parts, metadata }: Behaviour): Prompt {
  return {
    text: text ?? neutralPrompt,
    messageIdWord: `tck-${goal}`,
    ...(parts === undefined ? {} : { parts }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

export function createDictionary({ card, behaviours, webhook }: DictionaryOptions): Dictionary {
  const seen: string[] = [];
  const inputModes = unique([...card.inputModes, ...card.skills.flatMap((skill) => skill.inputModes)]);
  const outputModes = unique(card.outputModes);
  const promptsFor = (goal: Goal): readonly Prompt[] => {
    const { word, messageIdWord = word, plain } = steers[goal];
    const configured = behaviours[goal];
    const usual = { text: `${word} ${plain}`, messageIdWord };
    return configured === undefined ? [usual] : [promptOf(goal, configured), usual];
  };
  return {
    inputModes: inputModes.length > 0 ? inputModes : ['text/plain'],
    outputModes: outputModes.length > 0 ? outputModes : ['text/plain'],
    skills: unique(card.skills.map(({ id }) => id)),
    extensions: unique(card.capabilities.extensions.map(({ uri }) => uri)),
    webhook: webhook ?? 'https://example.com/a2a-tck',
    words: plainWords,
    seen,
    promptsFor,
    prompt(randomSource) {
      if (randomSource.chance(0.6)) return { text: randomSource.pick(plainWords), messageIdWord: 'tck' };
      const prompts = promptsFor(randomSource.pick(cheap));
      return prompts[0] ?? { text: neutralPrompt, messageIdWord: 'tck' };
    },
    remember(name) {
      if (!isPlain.test(name) || seen.includes(name)) return;
      if (seen.length >= mostSeen) seen.shift();
      seen.push(name);
    },
  };
}

/** Hex digits, eight by default, for ids that no other client makes. */
export function hexOf(randomSource: RandomSource, digits = 8): string {
  let text = '';
  for (let at = 0; at < digits; at += 4) text += randomSource.below(0x10000).toString(16).padStart(4, '0');
  return text.slice(0, digits);
}

/** A version 4 UUID. */
export const uuidOf = (randomSource: RandomSource): string =>
  `${hexOf(randomSource)}-${hexOf(randomSource, 4)}-4${hexOf(randomSource, 3)}-a${hexOf(randomSource, 3)}-${hexOf(randomSource, 12)}`;

/** Metadata as clients send them. `skill`: the id of one that the agent has. */
export const metadataValues = (skill = 'chat'): readonly Value[] => [
  {},
  { note: 'tck' },
  { 'https://example.com/note': { list: [1, 'two', null, true], nested: { deep: { deeper: 'yes' } } } },
  { skillId: skill, traceId: '4bf92f3577b34da6a3ce929d0e0e4736', priority: 1.5 },
];
