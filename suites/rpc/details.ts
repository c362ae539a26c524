import { conforms, set } from '../../src/kit/index.js';

// A2A 1.0 §9.5 Error Handling, §3.3.2 Error Payload Structure. AMB10-06: details may be missing, but must not have
// another form.

const noDetails = { otherwise: 'no error with details came' };

// In our words (1.0, 9.5 Error Handling): When `error.data` is an array of details, each object has a string @type.
export const typed = conforms(
  'rpc/error-details-typed',
  'err.details-typed',
  'give each detail of an error a string @type',
  {
    ...noDetails,
    advice:
      'Write each detail as an object with "@type": "type.googleapis.com/google.rpc.ErrorInfo", or the full name of its own type.',
  },
);

// In our words (1.0, 9.5 Error Handling): `error.data` is an array rather than an object or string.
export const inArray = conforms(
  'rpc/error-details-array',
  'err.details-array',
  'give the details of an error as an array',
  { ...noDetails, advice: 'Write error.data as a list, also for one detail.' },
);

// In our words (1.0, 9.5 Error Handling): A2A errors carry a google.rpc.ErrorInfo with reason and domain
//   a2a-protocol.org.
export const errorInfo = conforms(
  'rpc/error-info',
  'err.error-info',
  'name the error of A2A in a google.rpc.ErrorInfo',
  {
    otherwise: 'no error of A2A came',
    advice:
      'error.data: [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TASK_NOT_FOUND", "domain": "a2a-protocol.org"}].',
  },
);

// In our words (1.0, 9.5 Error Handling): Invalid-params errors carry a well-known detail: a google.rpc.BadRequest
//   naming the field, or an ErrorInfo.
export const badRequest = conforms(
  'rpc/bad-request-details',
  'err.bad-request',
  'name the invalid params in a google.rpc.BadRequest, when it refuses params',
  {
    otherwise: 'the agent refused no params',
    advice:
      'Add {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"field": "message.parts", "description": "…"}]} to error.data.',
  },
);

// In our words (1.0, 3.3.2 Error Handling): Error details use google.rpc types.
export const googleTypes = conforms(
  'rpc/error-details-google',
  'err.google-types',
  'take the types of error details from google.rpc',
  {
    ...noDetails,
    advice:
      'Use ErrorInfo, BadRequest and the other types of google.rpc, and put what is your own into the metadata of an ErrorInfo.',
  },
);

// In our words (1.0, 9.5 Error Handling): The metadata of an ErrorInfo in `error.data` holds strings.
export const errorMetadata = conforms(
  'rpc/error-metadata',
  'err.error-metadata',
  'have only texts in the metadata of an ErrorInfo',
  {
    otherwise: 'no error had an ErrorInfo',
    advice: 'Convert numbers and booleans to texts: metadata of an ErrorInfo is a map from text to text.',
  },
).mutants(set('data.metadata', { status: 404 }));
