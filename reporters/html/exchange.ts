import type { Report } from '../../src/report/index.js';
import { plural, printable } from '../../src/wire/index.js';
import { type JsonBody, type JsonExchange, jsonExchange } from '../json-exchange.js';
import { operationOf } from '../operation.js';
import { duration } from '../wording.js';
import { html, type Markup } from './markup.js';
import { indented } from './pretty.js';

type Exchange = Report['exchanges'][number];

const longestBody = 8000;
const longestLine = 1000;
const mostHeaders = 60;

/** Characters of exchanges that still fit: the page must open on a phone, however much a run has sent. */
export interface Allowance {
  left: number;
}

function bodyText(body: JsonBody): { readonly text: string; readonly note: string | undefined } {
  const raw = body.body ?? '';
  const binary = body.bodyEncoding === undefined ? [] : ['the body is not UTF-8, and stands here in base64'];
  const shown = body.bodyEncoding === undefined ? indented(raw, longestBody) : raw;
  const isCut = body.bodyCut === true || shown.length > longestBody;
  const notes = [...binary, ...(isCut ? [`cut to its first ${longestBody} characters; the JSON report has more`] : [])];
  // A surrogate pair that is cut in half shows as an escape.
  return { text: shown.slice(0, longestBody), note: notes.length === 0 ? undefined : notes.join(', ') };
}

function part(
  name: string,
  id: string,
  first: string,
  headers: JsonExchange['request']['headers'],
  body: JsonBody,
): Markup {
  const lines = headers
    .slice(0, mostHeaders)
    .map(([key, value]) => `${printable(key, 200)}: ${printable(value, longestLine)}`);
  if (headers.length > mostHeaders) lines.push(`(${plural(headers.length - mostHeaders, 'more header')})`);
  const { text, note } = bodyText(body);
  return html`<figure><figcaption>${name}</figcaption><pre tabindex="0" role="group" aria-label="${name} ${id}"><b>${first}</b>
${lines.join('\n')}${text === '' ? '' : `\n\n${text}`}</pre>${note === undefined ? undefined : html`<p class="note">The body: ${note}.</p>`}</figure>`;
}

const outcome = ({ response, failure }: Exchange): string => {
  const failed = failure === undefined ? '' : printable(failure.kind, 40);
  return response === undefined ? failed || 'nothing came' : `HTTP ${response.status}${failed && `, ${failed}`}`;
};

/** `SendMessage → HTTP 200`, in one line. */
export const exchangeLine = (exchange: Exchange): string =>
  `${exchange.toWebhook === true ? 'webhook: ' : ''}${operationOf(exchange)} → ${outcome(exchange)}`;

/** A whole exchange; undefined if the page has no room left. */
export function exchangeView(exchange: Exchange, allowance: Allowance): Markup | undefined {
  if (allowance.left <= 0) return undefined;
  const { request, response, error, durationMs, purpose } = jsonExchange(exchange);
  const id = printable(exchange.id, 20);
  const first = `${printable(request.method, 40)} ${printable(request.url, longestLine)}`;
  const failure = error === undefined ? undefined : `${error.kind}: ${printable(error.detail, longestLine)}`;
  const view = html`<div class="exchange">
${part('Request', id, first, request.headers, request)}
${response === undefined ? undefined : part('Response', id, `HTTP ${response.status}`, response.headers, response)}
${response?.trailers === undefined ? undefined : part('Trailers', id, 'after the body', response.trailers, {})}
${failure === undefined ? undefined : html`<p class="note">The exchange failed: ${failure}.</p>`}
<p class="note">Sent for ${printable(purpose, 200)}, ${duration(durationMs)}${exchange.toWebhook === true ? ', by the agent to a webhook of the kit' : ''}.</p>
</div>`;
  allowance.left -= view.text.length;
  return view;
}
