import type { Fault } from '../fault.js';
import { cancelFaults } from './cancel.js';
import { cardFaults } from './card.js';
import { cardExtendedFaults } from './card-extended.js';
import { cardInterfaceFaults } from './card-interfaces.js';
import { cardMemberFaults } from './card-members.js';
import { cardSecurityFaults } from './card-security.js';
import { cardSignatureFaults } from './card-signatures.js';
import { cardSkillFaults } from './card-skills.js';
import { dataFaults } from './data.js';
import { dataMessageFaults } from './data-message.js';
import { dataPartFaults } from './data-part.js';
import { getFaults } from './get.js';
import { lifeFaults } from './life.js';
import { robustnessFaults } from './robustness.js';
import { rpcFaults } from './rpc.js';
import { rpcCodeFaults } from './rpc-codes.js';
import { rpcErrorFaults } from './rpc-errors.js';
import { rpcHttpFaults } from './rpc-http.js';
import { rpcIdFaults } from './rpc-ids.js';
import { rpcMethodFaults } from './rpc-methods.js';
import { sendFaults } from './send.js';
import { sendConfigurationFaults } from './send-configuration.js';
import { sendDefectFaults } from './send-defects.js';
import { sendRefusalFaults } from './send-refusals.js';
import { sendTaskFaults } from './send-tasks.js';
import { sendTerminalFaults } from './send-terminal.js';

/** Every seeded fault, a file a chapter of the requirements. */
export const faults: readonly Fault[] = [
  ...cardFaults,
  ...cardMemberFaults,
  ...cardSkillFaults,
  ...cardInterfaceFaults,
  ...cardSecurityFaults,
  ...cardSignatureFaults,
  ...cardExtendedFaults,
  ...rpcFaults,
  ...rpcIdFaults,
  ...rpcErrorFaults,
  ...rpcMethodFaults,
  ...rpcCodeFaults,
  ...rpcHttpFaults,
  ...robustnessFaults,
  ...sendFaults,
  ...sendRefusalFaults,
  ...sendDefectFaults,
  ...sendTaskFaults,
  ...sendTerminalFaults,
  ...sendConfigurationFaults,
  ...getFaults,
  ...cancelFaults,
  ...lifeFaults,
  ...dataFaults,
  ...dataMessageFaults,
  ...dataPartFaults,
];
