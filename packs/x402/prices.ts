import { fresh, NotApplicable, PreconditionUnmet, type Scene, type Source, source } from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Two things with different prices, where the kit can ask for another one.

/** At most so many other texts are tried. */
const mostAsked = 5;

/**
 * Where the text that costs begins with the id of a skill, other skills are asked for by their ids. No other texts are
 * tried: their effects are unknown.
 */
function otherTexts({ card }: Scene, text: string): readonly string[] {
  const begins = (id: string): boolean => id !== '' && (text === id || text.startsWith(`${id} `));
  const own = card.skills.find(({ id }) => begins(id));
  if (own === undefined) return [];
  const others = card.skills.filter(({ id }) => id !== own.id && id !== '');
  return others.slice(0, mostAsked).map(({ id }) => `${id}${text.slice(own.id.length)}`);
}

type Priced = Pick<x402.Offered, 'offer' | 'option'>;

/** The option of another offer for the same token on the same network. */
const counterpart = ({ option }: Priced, offer: x402Text.Offer): x402Text.Option | undefined =>
  x402Text
    .payable(offer)
    .find((priced) => priced.network === option.network && x402Text.sameAddress(priced.asset, option.asset));

/** Shared: a text with another price. */
const otherText: Source<string> = source('a text with another price', async (scene) => {
  const texts = otherTexts(scene, x402.x402Of(scene).trigger);
  if (texts.length === 0) throw new NotApplicable('the kit knows one text that costs, and so one price');
  const own = await scene.use(x402.offered);
  for (const text of texts) {
    try {
      const { offer } = await x402.offeredFor(scene, { trigger: text });
      const option = counterpart(own, offer);
      const isComparable = option !== undefined && offer.x402Version === own.offer.x402Version;
      if (isComparable && option.amount !== own.option.amount) return text;
    } catch (error) {
      // Some skills may cost nothing.
      if (!(error instanceof PreconditionUnmet || error instanceof NotApplicable)) throw error;
    }
  }
  throw new NotApplicable('all prices that the kit has found are equal');
});

/** Two unpaid tasks with different prices; each with its option for the same token. */
export const twoOffers: Source<{ readonly cheap: x402.Offered; readonly dear: x402.Offered }> = fresh(
  'two tasks with different prices',
  async (scene) => {
    const trigger = await scene.use(otherText);
    const own = await scene.use(x402.offered);
    const other = await x402.offeredFor(scene, { trigger });
    const option = counterpart(own, other.offer);
    if (option === undefined || option.amount === own.option.amount)
      throw new PreconditionUnmet('run again: the prices changed between two offers');
    const both = [own, { ...other, option }] as const;
    const isCheap = BigInt(own.option.amount) < BigInt(option.amount);
    const [cheap, dear] = isCheap ? both : ([both[1], both[0]] as const);
    return { cheap, dear };
  },
);
