/** Names of the errors that JSON-RPC 2.0 §5.1 and A2A 0.3 §8.2 / 1.0 §3.3.2 define. Codes belong to the dialects. */
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
] as const;
export type ErrorName = (typeof errorNames)[number];
