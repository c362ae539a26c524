import { bundledScenarios } from '../../../packs/scenarios.js';
import type { Scenario } from '../scenario.js';
import { accessScenarios } from './access.js';
import { answersScenarios } from './answers.js';
import { conversationScenarios } from './conversation.js';
import { discoveryScenarios } from './discovery.js';
import { eventsScenarios } from './events.js';
import { framingScenarios } from './framing.js';
import { interfacesScenarios } from './interfaces.js';
import { listsScenarios } from './lists.js';
import { plainScenarios } from './plain.js';
import { pushScenarios } from './push.js';
import { requestsScenarios } from './requests.js';
import { troubleScenarios } from './trouble.js';

/** Every scenario, in the order in which they are listed. */
export const scenarios: readonly Scenario[] = [
  ...plainScenarios,
  ...discoveryScenarios,
  ...interfacesScenarios,
  ...requestsScenarios,
  ...accessScenarios,
  ...framingScenarios,
  ...eventsScenarios,
  ...answersScenarios,
  ...conversationScenarios,
  ...troubleScenarios,
  ...listsScenarios,
  ...pushScenarios,
  ...bundledScenarios,
];
