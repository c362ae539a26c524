import type { FuzzStage } from '../../run/index.js';
import { type ConfirmationSettings, createConfirmation, unconfirmedOf } from '../confirm/confirmation.js';
import { createSpell } from '../execute/spell.js';
import { createGenerator } from '../generate/create-generator.js';
import { createDictionary } from '../generate/dictionary.js';
import type { Generator } from '../generate/generator.js';
import { race } from '../generate/races.js';
import type { RandomSource } from '../generate/random-source.js';
import { scenario } from '../generate/scenarios.js';
import { paymentScript } from '../generate/scripting.js';
import { createWeightedChoice } from '../generate/weighted-choice.js';
import { crashReport } from '../oracles/crash-report.js';
import { oracles } from '../oracles/index.js';
import type { CampaignParts } from './campaign-settings.js';

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
  const script = paymentScript();
  // A deck: each kind of wrong payment comes once before any comes twice.
  const dealt = createWeightedChoice();
  const payments =
    charges !== undefined && canSend && script !== undefined
      ? {
          payments: (randomSource: RandomSource) => script(dealt(randomSource), { ...tools, message: charges.message }),
        }
      : {};
  return createGenerator({
    ...options,
    ...payments,
    ...(canSend
      ? { story: (randomSource) => scenario(randomSource, tools), race: (randomSource) => race(randomSource, tools) }
      : {}),
  });
}

/** All parts of the fuzzer, put together. */
export const fuzzParts = (stage: FuzzStage, settling: ConfirmationSettings): CampaignParts => {
  const { tenant } = stage.client;
  const { charges, seed, idSeed = seed } = stage;
  const payer = charges === undefined ? {} : { payer: { seed: idSeed, seconds: charges.seconds } };
  return {
    spell: createSpell({ inspector: stage.inspector, ...payer, ...(tenant === undefined ? {} : { tenant }) }),
    generator: generatorFor,
    oracles,
    settle: createConfirmation(settling),
    tell: (suspect, seen, on) => unconfirmedOf(suspect, seen, on, settling.kit),
    bury: (suspect, seen, on) => crashReport(suspect, seen, on, settling.kit),
  };
};
