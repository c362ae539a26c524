/**
 * The errors that JSON-RPC 2.0 §5.1, A2A 0.3 §8.2 / 1.0 §3.3.2 and dialects define, with their typical messages (0.3 §8.1,
 * §8.2). Codes belong to the dialects.
 */
export const errorMessages = {
  ParseError: 'Invalid JSON payload',
  InvalidRequest: 'Invalid JSON-RPC Request',
  MethodNotFound: 'Method not found',
  InvalidParams: 'Invalid method parameters',
  InternalError: 'Internal server error',
  TaskNotFound: 'Task not found',
  TaskNotCancelable: 'Task cannot be canceled',
  PushNotificationNotSupported: 'Push Notification is not supported',
  UnsupportedOperation: 'This operation is not supported',
  ContentTypeNotSupported: 'Incompatible content types',
  InvalidAgentResponse: 'Invalid agent response type',
  ExtendedCardNotConfigured: 'Authenticated Extended Card not configured',
  ExtensionSupportRequired: 'Extension support is required',
  VersionNotSupported: 'Protocol version is not supported',
  AuthenticationError: 'Authentication failed',
} as const;
export type ErrorName = keyof typeof errorMessages;
export const errorNames = Object.keys(errorMessages) as readonly ErrorName[];
