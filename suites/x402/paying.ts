import { check, unproven, x402 } from '../../src/kit/index.js';

// Right payments. a2a-x402 v0.1 §4.5, §6; x402 A2A transport; x402 core v2 §5.3.

export const paid = check('x402/paid', 'x402.paid')
  .when('the client pays what the agent asks for', (scene) => scene.use(x402.funded))
  .expects('take the payment and do the work', (attempt, scene) => {
    const judgement = x402.paid(scene)(attempt);
    if (judgement !== undefined) return judgement;
    const { task } = attempt;
    if (task && x402.statusOf(task) === 'payment-required')
      return unproven('the agent charges again for the next step');
    if (task?.status.state !== 'completed') return `the task is ${task && x402.standingOf(task)} in the end`;
    return x402.saidBy(task).some((text) => text !== '') ? undefined : 'neither an artifact nor a message came of it';
  })
  .advice('Find the offer by the task id, verify, settle, then complete the task with the receipt and the result.')
  .killedBy('x402-right-payments-refused');
