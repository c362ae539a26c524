import { type ClientFault, clientFault } from '../../../fixtures/clients/shared/client-fault.js';
import { type ClientPatch, Refused } from '../../../fixtures/clients/shared/parts.js';
import type { JsonObject } from '../../../src/model/index.js';
import { bodyText, type Header } from '../../../src/wire/index.js';
import { headerNames, readSignature } from '../signing/index.js';

const profiles = ['xpr', 'xpr-v2'] as const;

/** Another value of one of the three headers. */
const headed =
  (name: keyof typeof headerNames, edit: (value: string) => string): ClientPatch =>
  (inner) => ({
    signed(request, more) {
      const made = inner.signed(request, more);
      const headers = made.headers.map(
        ([key, value]): Header => [key, key === headerNames[name] ? edit(value) : value],
      );
      return { ...made, headers };
    },
  });

export const xprClientFaults: readonly ClientFault[] = [
  clientFault('client-xpr-other-card-path', {
    about: 'The client asks for the card at the path of A2A 0.3 alone.',
    breaks: ['client.xpr-card-path'],
    profiles,
    patch: (_, { carrier, url, signal }) => ({
      async fetchCard() {
        const { body } = await carrier(
          { method: 'GET', url: `${url}/.well-known/agent-card.json`, headers: [] },
          signal,
        );
        const chunks: Uint8Array[] = [];
        for await (const chunk of body) chunks.push(chunk);
        return JSON.parse(bodyText(Buffer.concat(chunks))) as JsonObject;
      },
    }),
  }),
  clientFault('client-xpr-other-endpoint', {
    about: 'Requests go to the URL of the card itself.',
    breaks: ['client.xpr-endpoint'],
    profiles,
    patch: (inner) => ({
      request(...args) {
        const made = inner.request(...args);
        return { ...made, url: made.url.replace(/\/a2a$/, '/') };
      },
    }),
  }),
  clientFault('client-xpr-signs-messages-only', {
    about: 'Only requests with a message are signed.',
    breaks: ['client.xpr-headers'],
    profiles,
    patch: (inner) => ({
      signed: (request, more) => (request.operation === 'send' ? inner.signed(request, more) : request),
    }),
  }),
  clientFault('client-xpr-other-account', {
    about: 'The account is named with its permission.',
    breaks: ['client.xpr-account'],
    profiles,
    patch: headed('account', (account) => `${account}@active`),
  }),
  clientFault('client-xpr-milliseconds', {
    about: 'The timestamp is in milliseconds.',
    breaks: ['client.xpr-timestamp'],
    profiles,
    patch: (inner) => ({
      signed: (request, more) => inner.signed(request, { ...more, timestamp: String(Date.now()) }),
    }),
  }),
  clientFault('client-xpr-signs-latin-1', {
    about: 'The body is hashed in another encoding than it is sent in.',
    breaks: ['client.xpr-signature'],
    profiles,
    patch: (inner) => ({
      signed: (request, more) =>
        inner.signed(request, { ...more, body: new Uint8Array(Buffer.from(bodyText(request.body), 'latin1')) }),
    }),
  }),
  clientFault('client-xpr-signature-in-hex', {
    about: 'The signature is written in hex.',
    breaks: ['client.xpr-signature-form'],
    profiles,
    patch: headed('signature', (text) => Buffer.from(readSignature(text)).toString('hex')),
  }),
  clientFault('client-xpr-repeats-signature', {
    about: 'A request whose answer was lost is sent again with the same signature.',
    breaks: ['client.xpr-signed-anew'],
    profiles,
    patch(inner) {
      const last = new WeakMap<object, ReturnType<typeof inner.signed>>();
      return {
        retryAfter: (_, failure, tries) => (failure instanceof Error && tries < 2 ? 50 : undefined),
        signed(request, more) {
          const made = last.get(request) ?? inner.signed(request, more);
          last.set(request, made);
          return made;
        },
      };
    },
  }),
  clientFault('client-xpr-sends-key', {
    about: 'The client sends the private key along.',
    breaks: ['client.xpr-key-kept'],
    profiles,
    patch: (inner, { errand }) => ({
      headers: (op) => [...inner.headers(op), ['x-xpr-key', errand.account?.['key'] ?? '']],
    }),
  }),
  clientFault('client-xpr-tries-on', {
    about: 'A request that is refused is sent again and again.',
    breaks: ['client.xpr-clock-off'],
    profiles,
    patch: (inner) => ({
      async call(op, value) {
        for (let tries = 1; ; tries++) {
          try {
            return await inner.call(op, value);
          } catch (error) {
            if (!(error instanceof Refused) || tries > 8) throw error;
          }
        }
      },
    }),
  }),
  clientFault('client-xpr-tells-no-refusal', {
    about: 'The client reports a refused signature as a task that was sent.',
    breaks: ['client.xpr-refusal-told'],
    profiles,
    patch: () => ({ tellError: () => ({ state: 'submitted' }) }),
  }),
];
