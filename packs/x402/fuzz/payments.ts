import {
  type CallStep,
  type Case,
  callOf,
  quickly,
  type RandomSource,
  reference,
  type ScriptTools,
  type Step,
  uuidOf,
  type WireMutation,
} from '../../../src/fuzz/extending.js';
import type { Message } from '../../../src/model/index.js';
import { paymentMade } from './payment-forms.js';

// Scripts about payments: ask for a paid service, pay wrongly or claim to have paid, and read the result. a2a-x402 v0.1
// §4.

export interface PaymentTools extends ScriptTools {
  /** A message that the agent charges for. */
  readonly message: string;
}

const word = (randomSource: RandomSource): string => `t${randomSource.below(1e9).toString(36)}`;

function say(randomSource: RandomSource, tools: PaymentTools, text: string, more: Partial<Message> = {}): CallStep {
  const message: Message = { messageId: uuidOf(randomSource), role: 'user', parts: [{ kind: 'text', text }], ...more };
  return callOf(tools, 'send', { message, configuration: quickly(tools) });
}

function pay(
  randomSource: RandomSource,
  tools: PaymentTools,
  task: string | undefined,
  names: readonly string[],
): CallStep {
  const trick: WireMutation = { trick: 'payment', ...paymentMade({ randomSource }, names) };
  const step = say(randomSource, tools, 'payment', task === undefined ? {} : { taskId: reference(`${task}.task`) });
  return { ...step, tricks: [trick] };
}

/** One script; it needs the operation `send`. */
export function paymentCase(randomSource: RandomSource, tools: PaymentTools): Case {
  const ask = (name: string): readonly Step[] => [
    { ...say(randomSource, tools, `${tools.message} ${word(randomSource)}`), as: name },
    { step: 'wait', for: name },
  ];
  const look = (name: string): readonly Step[] => [
    { step: 'wait', for: name },
    callOf(tools, 'get', { id: reference(`${name}.task`) }),
  ];
  const item = (): CallStep => pay(randomSource, tools, 'a', ['a']);
  const nonce = word(randomSource);
  const again = (step: CallStep): CallStep => ({
    ...step,
    tricks: (step.tricks ?? []).map((trick) => ({ ...trick, nonce })),
  });
  const steps = (): readonly Step[] => {
    const roll = randomSource.below(100);
    if (roll < 68) return [...ask('a'), item(), ...look('a')];
    // The payment of one task for another.
    if (roll < 76)
      return [...ask('a'), ...ask('b'), pay(randomSource, tools, 'b', ['a', 'b']), ...look('b'), ...look('a')];
    // The same nonce again, one after the other and at once.
    if (roll < 84) return [...ask('a'), again(item()), again(item()), ...look('a')];
    if (roll < 90)
      return [...ask('a'), { step: 'together', calls: [again(item()), again(item()), item()] }, ...look('a')];
    if (roll < 95) return [...ask('a'), { ...item(), caller: 'none' }, ...look('a')];
    return [
      ...ask('a'),
      { ...pay(randomSource, tools, undefined, ['a']), as: 'n' },
      { step: 'wait', for: 'n' },
      ...look('a'),
    ];
  };
  return { dialect: tools.dialect.id, steps: steps() };
}
