/**
 * Names of the errors that JSON-RPC 2.0 §5.1, A2A 0.3 §8.2 / 1.0 §3.3.2 and dialects define. Codes belong to the
 * dialects.
 */
export const errorNames = [
  'ParseError',
  'InvalidRequest',
  'MethodNotFound',
  'InvalidParams',
  'InternalError',
  'TaskNotFound',
  'TaskNotCancelable',
  'PushNotificationNotSupported',
  'UnsupportedOperation',
  'ContentTypeNotSupported',
  'InvalidAgentResponse',
  'ExtendedCardNotConfigured',
  'ExtensionSupportRequired',
  'VersionNotSupported',
  'AuthenticationError',
] as const;
export type ErrorName = (typeof errorNames)[number];
