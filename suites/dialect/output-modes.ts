import { check, describe, type Judgement } from '../../src/kit/index.js';
import { alive } from '../message/sends.js';

// A2A 0.2.6 §7.1.1 MessageSendConfiguration: acceptedOutputModes was required up to 0.2.5.

// In our words (0.2, 7.1.1 MessageSendParams Object): Agents of the line up to 0.2.5 may demand acceptedOutputModes in
//   a configuration; 0.2.6 does not.
export const modesOptional = check('dialect/output-modes-left-out', 'send.output-modes-required')
  .when('the client sends a configuration without acceptedOutputModes', (scene) =>
    scene.client.call('send', { message: scene.say(), configuration: { blocking: false } }),
  )
  .expects('return a result or an error', async (outcome, scene): Promise<Judgement> => {
    if (outcome.kind === 'refusal' && outcome.error === 'InternalError') return describe(outcome);
    return alive(outcome, scene);
  })
  .advice('Take text where acceptedOutputModes is missing, or answer -32602. Check for it before it is used.');
