import type { FuzzStage } from '../run/index.js';
import type { CampaignParts } from './campaign-settings.js';
import { createGenerator } from './create-generator.js';
import { deathOf } from './death.js';
import { createDeck } from './deck.js';
import type { Dice } from './dice.js';
import { createDictionary } from './dictionary.js';
import type { Generator } from './generator.js';
import { oracles } from './oracles/index.js';
import { createPayer } from './payer.js';
import { paymentCase } from './payments.js';
import { race } from './races.js';
import { createSettle, type SettleSettings, unconfirmedOf } from './settle.js';
import { createSpell } from './spell.js';
import { story } from './stories.js';

function generatorFor({ client, target, behaviours, readOnly, rawSocket, charges }: FuzzStage): Generator {
  const { dialect } = client;
  const { card } = target;
  const dictionary = createDictionary({ card, behaviours });
  const options = {
    dialect,
    card,
    dictionary,
    readOnly,
    rawSocket,
    signs: client.signer !== undefined,
    // Sends that the client withholds anyway are not generated.
    ...(client.sendsOff === undefined ? {} : { withheld: new Set(['send', 'stream'] as const) }),
  };
  const tools = {
    dialect,
    operations: createGenerator(options).operations,
    behaviours,
    outputModes: dictionary.outputModes,
    webhook: dictionary.webhook,
    hasSecond: (client.secondCredentials?.length ?? 0) > 0 || client.secondSigner !== undefined,
  };
  const canSend = tools.operations.includes('send');
  // A deck: each kind of wrong payment comes once before any comes twice.
  const dealt = createDeck();
  const payments =
    charges !== undefined && canSend
      ? { payments: (dice: Dice) => paymentCase(dealt(dice), { ...tools, message: charges.message }) }
      : {};
  return createGenerator({
    ...options,
    ...payments,
    ...(canSend ? { story: (dice) => story(dice, tools), race: (dice) => race(dice, tools) } : {}),
  });
}

/** All parts of the fuzzer, put together. */
export const fuzzParts = (stage: FuzzStage, settling: SettleSettings): CampaignParts => {
  const { tenant } = stage.client;
  const { charges, seed, idSeed = seed } = stage;
  const payer = charges === undefined ? {} : { payer: createPayer(idSeed, charges.seconds) };
  return {
    spell: createSpell({ inspector: stage.inspector, ...payer, ...(tenant === undefined ? {} : { tenant }) }),
    generator: generatorFor,
    oracles: () => oracles,
    settle: createSettle(settling),
    tell: (suspect, seen, on) => unconfirmedOf(suspect, seen, on, settling.kit),
    bury: (suspect, seen, on) => deathOf(suspect, seen, on, settling.kit),
  };
};
