import {
  brief,
  type ClientCall,
  type ClientRun,
  callName,
  callsOf,
  clientCheck,
  inconclusive,
  isObject,
  stringMember,
} from '../../src/kit/index.js';

const tokenOf = ({ params }: ClientCall): string => (isObject(params) ? (stringMember(params, 'pageToken') ?? '') : '');

/** The tokens that the agent gave, in the order of the pages. */
const given = ({ facts }: ClientRun): readonly string[] =>
  ['token-1', 'token-2'].flatMap((name) => (facts[name] === undefined ? [] : [facts[name]]));

// In our words (1.0, 3.1.4 List Tasks): Paging ends at the empty nextPageToken.
export const pagingStops = clientCheck('client-list/paging-stops', 'client.paging-stops')
  .in('pages')
  .expects('ask for page after page until nextPageToken is empty', (run) => {
    const asked = callsOf(run, 'list');
    const pages = given(run).length + 1;
    if (asked.length === 0) return 'not-concerned';
    if (asked.length < pages) return `the client asked for ${asked.length} of ${pages} pages`;
    const [late] = asked.slice(pages);
    return late === undefined
      ? 'holds'
      : `${callName(late)}: it came after the last page, whose nextPageToken is empty`;
  })
  .advice('Request pages while nextPageToken is not empty.');

// In our words (1.0, 3.1.4 List Tasks): Page tokens come back as they were given.
export const pageTokenUnchanged = clientCheck('client-list/page-token-unchanged', 'client.page-token-unchanged')
  .in('pages')
  .expects('send page tokens back as they were given', (run) => {
    const tokens = given(run);
    const asked = callsOf(run, 'list').filter((call) => tokenOf(call) !== '');
    if (asked.length === 0) return inconclusive('the client fetched only the first page');
    const altered = asked.find((call) => !tokens.includes(tokenOf(call)));
    return altered === undefined
      ? 'holds'
      : `${callName(altered)}: its pageToken is ${brief(tokenOf(altered))}, given were ${tokens.map((token) => brief(token)).join(' and ')}`;
  })
  .advice('A page token is text without a meaning; in a query it is percent-encoded once.');
