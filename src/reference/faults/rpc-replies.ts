import { type JsonObject, member } from '../../model/index.js';
import type { Incoming, Reply } from '../calls.js';
import { onEnvelope } from '../edits.js';
import { jsonHeaders, peek } from '../http.js';
import type { Patch } from '../seams.js';

// Answers of servers that break, for several files of faults.

export const page = (status: number): Reply => ({
  status,
  headers: [['content-type', 'text/html']],
  body: `<!doctype html><title>${status}</title>\n`,
});
export const hung: Reply = { status: 200, headers: [], body: '', fate: 'hang' };
export const reset: Reply = { ...hung, fate: 'reset' };
export const empty: Reply = { status: 200, headers: jsonHeaders, body: '' };

/** Gives this answer to the POST requests for which `when` holds. */
export const replying =
  (when: (request: Incoming, sent: unknown) => boolean, reply: Reply): Patch =>
  (inner) => ({
    serveRpc: async (request) =>
      request.method === 'POST' && when(request, peek(request)) ? reply : inner.serveRpc(request),
  });

/** Replaces refusals that have this code. */
export const onRefusal = (code: number, edit: (response: JsonObject) => unknown): Patch =>
  onEnvelope((response) => (member(response['error'], 'code') === code ? edit(response) : response));
