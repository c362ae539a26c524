import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { type Incoming, onReply, type Patch, together } from '../../../src/reference/patching.js';
import { header } from '../../../src/wire/index.js';
import { isExtensionHeader, onX402, selling, withX402 } from '../agent/index.js';
import { headerEntries } from '../payments/index.js';

/** Replaces how activation is read from a request. `uris`: the extensions that the card declares. */
const activeWhen = (reads: (request: Incoming, uris: readonly string[]) => boolean): Patch =>
  onX402((_, __, whole) => ({ isActive: (request) => reads(request, whole.x402.settings().uris) }));

const valuesOf = ({ headers }: Incoming): readonly string[] =>
  headers.flatMap(([name, value]) => (isExtensionHeader(name) ? [value] : []));

const entriesOf = (request: Incoming): readonly string[] => valuesOf(request).flatMap(headerEntries);

const always = activeWhen(() => true);

/** Only callers that activate the extension have to pay; others get the work for free. */
const free: Patch = (inner, world, whole) => {
  const { isActive } = withX402(inner).x402;
  return {
    ...always(inner, world, whole),
    execute(command, call) {
      if (command.op !== 'send' || isActive(call.request)) return inner.execute(command, call);
      const { message } = command.params;
      const parts = message.parts.map((part) => (part.kind === 'text' ? { ...part, text: `Do ${part.text}` } : part));
      return inner.execute({ ...command, params: { ...command.params, message: { ...message, parts } } }, call);
    },
  };
};

const echoing = (change: (value: string) => string | undefined): Patch =>
  onReply('endpoint', (reply) => ({
    ...reply,
    headers: reply.headers.flatMap(([name, value]) => {
      const changed = isExtensionHeader(name) ? change(value) : value;
      return changed === undefined ? [] : [[name, changed] as const];
    }),
  }));

export const faults: readonly Fault[] = [
  fault('x402-activation-ignored', {
    about: 'The agent asks every client to pay, although the card requires the extension.',
    breaks: ['x402.activation-required'],
    patch: always,
  }),
  fault('x402-activation-free', {
    about: 'Who does not activate the extension gets the work for free.',
    breaks: ['x402.activation-required'],
    patch: free,
  }),
  fault('x402-activation-pushed', {
    about: 'The extension is optional, and clients that did not activate it are asked to pay.',
    breaks: ['x402.activation-optional'],
    patch: together(selling({ required: false }), always),
  }),
  fault('x402-echo-missing', {
    about: 'Answers do not say that the extension is active.',
    breaks: ['x402.activation-echoed'],
    patch: selling({ echo: false }),
  }),
  fault('x402-echo-shortened', {
    about: 'Answers call the extension by a short name.',
    breaks: ['x402.activation-echoed'],
    patch: echoing(() => 'x402'),
  }),
  fault('x402-activation-alone', {
    about: 'The header must have the URI and nothing else.',
    breaks: ['x402.activation-header'],
    patch: activeWhen((request, uris) => valuesOf(request).some((value) => uris.includes(value))),
  }),
  fault('x402-activation-untrimmed', {
    about: 'The agent splits the header only at a comma with one space.',
    breaks: ['x402.activation-header'],
    patch: activeWhen((request, uris) =>
      valuesOf(request)
        .flatMap((value) => value.split(', '))
        .some((uri) => uris.includes(uri)),
    ),
  }),
  fault('x402-activation-name-case', {
    about: 'The name of the header must be in the letters of the document.',
    breaks: ['x402.activation-header'],
    patch: activeWhen((request, uris) => {
      const values = request.headers.flatMap(([name, value]) => (/^(X-)?A2A-Extensions$/.test(name) ? [value] : []));
      return values.flatMap(headerEntries).some((uri) => uris.includes(uri));
    }),
  }),
  fault('x402-activation-by-part', {
    about: 'A header that has the URI somewhere in it activates the extension.',
    breaks: ['x402.activation-whole-uri'],
    patch: activeWhen(({ headers }, uris) =>
      uris.some((uri) => ['A2A-Extensions', 'X-A2A-Extensions'].some((name) => header(headers, name)?.includes(uri))),
    ),
  }),
  fault('x402-activation-by-beginning', {
    about: 'The beginning of the URI activates the extension.',
    breaks: ['x402.activation-whole-uri'],
    patch: activeWhen((request, uris) => entriesOf(request).some((entry) => uris.some((uri) => uri.startsWith(entry)))),
  }),
];
