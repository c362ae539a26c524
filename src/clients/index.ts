export type { Ended, Launch, StartClient } from './client-process.js';
export { clientCommand, endingOf, limitsOf } from './command.js';
export { secretsInEnvironment } from './environment-secrets.js';
export { ruleOn } from './judge.js';
export {
  environmentFor,
  type OpenPort,
  ownPort,
  type Playing,
  play,
  type Staged,
  setStage,
  versionOf,
} from './play.js';
export { clientLedger, clientProfileOf, clientProfiles, dialectOfClient } from './profile.js';
export {
  type ClientOptions,
  type ClientPlan,
  planClients,
  runClients,
  type ServedClients,
  serveScenarios,
  usualConcurrency,
} from './run-clients.js';
export { errandOf, type Scenario, type Stage } from './scenario.js';
export { scenarios } from './scenarios/index.js';
export { clientOnStdin } from './stdin.js';
export { commandWords, secretsInCommand } from './words.js';
