import { expect, test } from 'vitest';
import { type SecurityScheme, unknownCard } from '../../model/index.js';
import { demanded, follows, madeUp } from './callers.js';

const schemes: Record<string, SecurityScheme> = {
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  bearer: { type: 'http', scheme: 'Bearer' },
  basic: { type: 'http', scheme: 'basic' },
  oauth: { type: 'oauth2' },
  tls: { type: 'mutualTLS' },
  digest: { type: 'http', scheme: 'digest' },
};
const card = { ...unknownCard, securitySchemes: schemes };

test.each([['header'], ['query'], ['cookie'], ['bearer'], ['basic'], ['oauth']])(
  'what is made up for %s has its form, and only its',
  (name) => {
    const wrong = madeUp(card, { [name]: [] }, 'secret');
    if (wrong === undefined) throw new Error('nothing was made up');
    expect(follows(wrong, card, { [name]: [] })).toBe(true);
    const others = Object.keys(schemes).filter((other) => follows(wrong, card, { [other]: [] }));
    expect(others.filter((other) => !['bearer', 'oauth'].includes(other))).toEqual(
      ['bearer', 'oauth'].includes(name) ? [] : [name],
    );
  },
);
test('several schemes of one alternative are spelled together', () => {
  const both = { header: [], query: [], cookie: [] };
  const wrong = madeUp(card, both, 'secret');
  expect(wrong).toEqual({
    headers: [
      ['X-Key', 'secret'],
      ['Cookie', 'session=secret'],
    ],
    query: [['key', 'secret']],
  });
});
test.each([['tls'], ['digest'], ['unknown']])('nothing is made up for %s', (name) => {
  expect(madeUp(card, { [name]: [] }, 'secret')).toBeUndefined();
});
test('an empty alternative demands nothing', () => {
  expect(demanded({ ...card, security: [{ bearer: [] }] })).toHaveLength(1);
  expect(demanded({ ...card, security: [{}, { bearer: [] }] })).toEqual([]);
  expect(demanded(card)).toEqual([]);
});
