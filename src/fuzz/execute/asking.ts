import type { Dialect } from '../../dialect/index.js';
import type { Goal } from '../../kit/index.js';
import type { CallStep, Value } from '../case/case.js';
import { type Dictionary, hexOf } from '../generate/dictionary.js';
import type { RandomSource } from '../generate/random-source.js';

interface Asked {
  readonly dialect: Dialect;
  readonly dictionary: Dictionary;
}

/** A send with the best known prompt for a goal. It does not block, so the agent answers as soon as there is a task. */
export function asking({ dialect, dictionary }: Asked, randomSource: RandomSource, goal: Goal): CallStep {
  const [prompt] = dictionary.promptsFor(goal);
  const text = { kind: 'text' as const, text: prompt?.text ?? '' };
  const message = {
    messageId: `${prompt?.messageIdWord ?? 'tck'}-${hexOf(randomSource)}`,
    role: 'user' as const,
    parts: prompt?.parts ?? [text],
    ...(prompt?.metadata === undefined ? {} : { metadata: prompt.metadata }),
  };
  const configuration = { blocking: false, acceptedOutputModes: dictionary.outputModes };
  const params = dialect.operations.send?.params.encode({ message, configuration });
  return { step: 'call', operation: 'send', ...(params === undefined ? {} : { params: params as Value }) };
}
