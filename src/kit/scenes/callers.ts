import type { Credentials, Parameter } from '../../client/index.js';
import type { Card, SecurityScheme } from '../../model/index.js';
import { type Header, header } from '../../wire/index.js';

// Callers, in the terms of the card: 0.3 §4.4, §5.5; 1.0 §7.3, §4.4.1.

type Alternative = Card['security'][number];

/**
 * The alternatives that the card demands of every caller, one of which is enough. Empty: none, or credentials are
 * optional.
 */
export function demanded({ security }: Card): readonly Alternative[] {
  return security.some((option) => Object.keys(option).length === 0) ? [] : security;
}

/** Whether the card demands credentials of any caller. */
export const declaresSecurity = ({ security, securitySchemes }: Card): boolean =>
  security.length > 0 || Object.keys(securitySchemes).length > 0;

const schemesOf = (card: Card, option: Alternative): readonly (SecurityScheme | undefined)[] =>
  Object.keys(option).map((name) => card.securitySchemes[name]);

/** Whether credentials have the form of an alternative; only the agent knows whether they are valid. */
export function follows({ headers, query }: Credentials, card: Card, option: Alternative): boolean {
  const starts = (word: string): boolean =>
    (header(headers, 'authorization') ?? '').toLowerCase().startsWith(`${word.toLowerCase()} `);
  return schemesOf(card, option).every((scheme) => {
    switch (scheme?.type) {
      case 'apiKey': {
        if (scheme.in === 'header') return header(headers, scheme.name) !== undefined;
        if (scheme.in === 'query') return query.some(([name]) => name === scheme.name);
        const cookies = (header(headers, 'cookie') ?? '').split(';').map((text) => text.trim());
        return cookies.some((cooky) => cooky.startsWith(`${scheme.name}=`));
      }
      case 'http':
        return starts(scheme.scheme);
      case 'oauth2':
      case 'openIdConnect':
        return starts('bearer');
      default:
        return false;
    }
  });
}

type Spelled = { readonly header: Header } | { readonly cookie: string } | { readonly parameter: Parameter };

function spell(scheme: SecurityScheme | undefined, secret: string): Spelled | undefined {
  switch (scheme?.type) {
    case 'apiKey':
      if (scheme.name === '') return undefined;
      if (scheme.in === 'header') return { header: [scheme.name, secret] };
      return scheme.in === 'query' ? { parameter: [scheme.name, secret] } : { cookie: `${scheme.name}=${secret}` };
    case 'http': {
      const word = scheme.scheme.toLowerCase();
      if (word === 'bearer') return { header: ['Authorization', `Bearer ${secret}`] };
      // RFC 7617 §2.
      if (word === 'basic') return { header: ['Authorization', `Basic ${btoa(`tck:${secret}`)}`] };
      return undefined;
    }
    case 'oauth2':
    case 'openIdConnect':
      return { header: ['Authorization', `Bearer ${secret}`] };
    default:
      return undefined;
  }
}

/** Wrong credentials in the form of an alternative; undefined if the kit cannot make up that form. */
export function madeUp(card: Card, option: Alternative, secret: string): Credentials | undefined {
  const parts = schemesOf(card, option).map((scheme) => spell(scheme, secret));
  if (parts.length === 0 || parts.includes(undefined)) return undefined;
  const known = parts.filter((part) => part !== undefined);
  const cookies = known.flatMap((part) => ('cookie' in part ? [part.cookie] : []));
  return {
    headers: [
      ...known.flatMap((part) => ('header' in part ? [part.header] : [])),
      ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : []),
    ],
    query: known.flatMap((part) => ('parameter' in part ? [part.parameter] : [])),
  };
}
