import type { Fault } from '../fault.js';
import { authFaults } from './auth.js';
import { authAnswerFaults } from './auth-answers.js';
import { authForeignFaults } from './auth-foreign.js';
import { cancelFaults } from './cancel.js';
import { cardFaults } from './card.js';
import { card10Faults } from './card-1.0.js';
import { cardExtendedFaults } from './card-extended.js';
import { cardInterfaceFaults } from './card-interfaces.js';
import { cardMemberFaults } from './card-members.js';
import { cardSecurityFaults } from './card-security.js';
import { cardSignatureFaults } from './card-signatures.js';
import { cardSkillFaults } from './card-skills.js';
import { cardXprFaults } from './card-xpr.js';
import { dataFaults } from './data.js';
import { dataMessageFaults } from './data-message.js';
import { dataPartFaults } from './data-part.js';
import { dialectFaults } from './dialect.js';
import { durabilityFaults } from './durability.js';
import { equivalenceFaults } from './equivalence.js';
import { equivalenceSideFaults } from './equivalence-sides.js';
import { extensionFaults } from './extension.js';
import { getFaults } from './get.js';
import { grpcAnswersFaults } from './grpc-answers.js';
import { grpcErrorsFaults } from './grpc-errors.js';
import { grpcRequestsFaults } from './grpc-requests.js';
import { lifeFaults } from './life.js';
import { listFaults } from './list.js';
import { nullFaults } from './nulls.js';
import { openclawFaults } from './openclaw.js';
import { pushConfigFaults } from './push-config.js';
import { pushDeliveryFaults } from './push-delivery.js';
import { pushListFaults } from './push-list.js';
import { pushPayloadFaults } from './push-payload.js';
import { pushRefusalFaults } from './push-refusals.js';
import { restAnswersFaults } from './rest-answers.js';
import { restErrorsFaults } from './rest-errors.js';
import { restRequestsFaults } from './rest-requests.js';
import { robustnessFaults } from './robustness.js';
import { rpcFaults } from './rpc.js';
import { rpcCodeFaults } from './rpc-codes.js';
import { rpcDetailFaults } from './rpc-details.js';
import { rpcErrorFaults } from './rpc-errors.js';
import { rpcHttpFaults } from './rpc-http.js';
import { rpcIdFaults } from './rpc-ids.js';
import { rpcMethodFaults } from './rpc-methods.js';
import { sendFaults } from './send.js';
import { sendConfigurationFaults } from './send-configuration.js';
import { sendDefectFaults } from './send-defects.js';
import { sendRefusalFaults } from './send-refusals.js';
import { sendStrictFaults } from './send-strict.js';
import { sendTaskFaults } from './send-tasks.js';
import { sendTerminalFaults } from './send-terminal.js';
import { signatureFaults } from './signature.js';
import { streamChunkFaults } from './stream-chunks.js';
import { streamContextFaults } from './stream-contexts.js';
import { streamEventFaults } from './stream-events.js';
import { streamFollowUpFaults } from './stream-follow-ups.js';
import { streamOrderFaults } from './stream-order.js';
import { streamRefusalFaults } from './stream-refusals.js';
import { streamTaskFaults } from './stream-tasks.js';
import { streamTransportFaults } from './stream-transport.js';
import { subscriptionRefusalFaults } from './subscription-refusals.js';
import { subscriptionFaults } from './subscriptions.js';
import { versionFaults } from './version.js';
import { x402ActivationFaults } from './x402-activation.js';
import { x402BindingFaults } from './x402-binding.js';
import { x402CardFaults } from './x402-card.js';
import { x402DefectsFaults } from './x402-defects.js';
import { x402FailuresFaults } from './x402-failures.js';
import { x402MessagesFaults } from './x402-messages.js';
import { x402OfferFaults } from './x402-offer.js';
import { x402PayingFaults } from './x402-paying.js';
import { x402ReplayFaults } from './x402-replay.js';
import { x402ShapesFaults } from './x402-shapes.js';
import { x402StatesFaults } from './x402-states.js';
import { x402StreamingFaults } from './x402-streaming.js';
import { xprBodiesFaults } from './xpr-bodies.js';
import { xprErrorsFaults } from './xpr-errors.js';
import { xprHeadersFaults } from './xpr-headers.js';
import { xprKeysFaults } from './xpr-keys.js';
import { xprMethodsFaults } from './xpr-methods.js';
import { xprOwnershipFaults } from './xpr-ownership.js';
import { xprRateFaults } from './xpr-rate.js';
import { xprReplayFaults } from './xpr-replay.js';
import { xprSignaturesFaults } from './xpr-signatures.js';
import { xprTimestampsFaults } from './xpr-timestamps.js';
import { xprTrustFaults } from './xpr-trust.js';

/** All faults that checks must fail, one file for each chapter of the requirements. */
export const faults: readonly Fault[] = [
  ...cardFaults,
  ...cardMemberFaults,
  ...cardSkillFaults,
  ...cardInterfaceFaults,
  ...cardSecurityFaults,
  ...cardSignatureFaults,
  ...cardExtendedFaults,
  ...card10Faults,
  ...cardXprFaults,
  ...rpcFaults,
  ...rpcIdFaults,
  ...rpcErrorFaults,
  ...rpcDetailFaults,
  ...versionFaults,
  ...rpcMethodFaults,
  ...rpcCodeFaults,
  ...rpcHttpFaults,
  ...robustnessFaults,
  ...sendFaults,
  ...sendRefusalFaults,
  ...sendDefectFaults,
  ...sendTaskFaults,
  ...sendStrictFaults,
  ...sendTerminalFaults,
  ...sendConfigurationFaults,
  ...getFaults,
  ...listFaults,
  ...cancelFaults,
  ...lifeFaults,
  ...dataFaults,
  ...dataMessageFaults,
  ...dataPartFaults,
  ...streamTransportFaults,
  ...streamEventFaults,
  ...streamOrderFaults,
  ...streamFollowUpFaults,
  ...streamContextFaults,
  ...streamChunkFaults,
  ...streamTaskFaults,
  ...streamRefusalFaults,
  ...subscriptionFaults,
  ...subscriptionRefusalFaults,
  ...dialectFaults,
  ...nullFaults,
  ...openclawFaults,
  ...durabilityFaults,
  ...pushConfigFaults,
  ...pushListFaults,
  ...pushRefusalFaults,
  ...pushDeliveryFaults,
  ...pushPayloadFaults,
  ...authFaults,
  ...authAnswerFaults,
  ...authForeignFaults,
  ...extensionFaults,
  ...signatureFaults,
  ...grpcAnswersFaults,
  ...grpcErrorsFaults,
  ...grpcRequestsFaults,
  ...equivalenceFaults,
  ...equivalenceSideFaults,
  ...restAnswersFaults,
  ...restErrorsFaults,
  ...restRequestsFaults,
  ...xprHeadersFaults,
  ...xprTimestampsFaults,
  ...xprSignaturesFaults,
  ...xprMethodsFaults,
  ...xprBodiesFaults,
  ...xprKeysFaults,
  ...xprReplayFaults,
  ...xprRateFaults,
  ...xprOwnershipFaults,
  ...xprTrustFaults,
  ...xprErrorsFaults,
  ...x402CardFaults,
  ...x402ActivationFaults,
  ...x402OfferFaults,
  ...x402ShapesFaults,
  ...x402MessagesFaults,
  ...x402PayingFaults,
  ...x402DefectsFaults,
  ...x402ReplayFaults,
  ...x402BindingFaults,
  ...x402StatesFaults,
  ...x402FailuresFaults,
  ...x402StreamingFaults,
];
