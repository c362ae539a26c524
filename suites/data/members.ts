import {
  type BrokenPlace,
  type Document,
  type Finding,
  foundIn,
  isObject,
  isOfProbe,
  law,
  set,
  severally,
} from '../../src/kit/index.js';

// A2A 0.3 §6 Protocol Data Objects: names and absence of members. Judged where the schemas know all members, so never
// inside metadata and data.

const noObject = { otherwise: 'no result came' };
const lastName = (path: string): string => (path.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');

/** The object that contains the member at a JSON pointer. */
function holderOf(document: unknown, path: string): unknown {
  let at = document;
  for (const step of path.split('/').slice(1, -1)) {
    at = isObject(at) || Array.isArray(at) ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
  }
  return at;
}

/**
 * Where an optional member must not be null, the schemas report null as a wrong type. On cards, their own laws do so.
 */
const isNull =
  ({ of }: Document) =>
  ({ rule, path, seen }: Finding): boolean =>
    rule === 'data.no-nulls' ||
    (of === 'result' && seen === 'null' && rule !== 'data.no-unknown-members' && !/^\d+$/.test(lastName(path)));

// In our words (1.0, 5.7 Field Presence and Optionality): Optional members without value are left out, not null.
export const noNulls = law(
  'data/no-nulls',
  'data.no-nulls',
  'leave out members that have no value, instead of null',
  {
    ...noObject,
    advice: 'Set your serializer to omit empty members.',
    places: (document) => foundIn(document, isNull(document)).map(({ path }) => ({ path, problem: 'is null' })),
  },
  (reading) => {
    const { documents, valid } = reading;
    if (documents.length === 0 || !valid) return 'not-concerned';
    for (const document of documents) {
      const { name, value, inspection } = document;
      const isWrong = isNull(document);
      const findings = inspection.findings.filter(
        (finding) => isWrong(finding) && !isOfProbe(reading, value, finding.path),
      );
      const places = findings.map(({ path }, at) => (at === 0 ? `${name}${path} is null` : path));
      if (findings.length > 0) return severally(places, inspection.more.get('data.no-nulls'));
    }
    return documents.some(({ of, value }) => of === 'result' && isObject(value)) ? 'holds' : 'not-concerned';
  },
);

const names = new Map(
  ['contextId', 'taskId', 'messageId', 'referenceTaskIds', 'artifactId', 'mimeType', 'mediaType'].map((name) => [
    name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
    name,
  ]),
);

const isPart = (value: unknown): boolean =>
  isObject(value) && !Object.hasOwn(value, 'kind') && Object.hasOwn(value, 'raw');

/** Members that are spelled as in the protobuf, with their right names. */
const snakes = ({ of, value, inspection }: Document): readonly BrokenPlace[] =>
  of !== 'result' || !isObject(value)
    ? []
    : inspection.findings.flatMap(({ rule, path }) => {
        const meant = rule === 'data.no-unknown-members' ? names.get(lastName(path)) : undefined;
        const holder = holderOf(value, path);
        // A part with `kind` is of a version that has no mediaType.
        if (meant === undefined || (meant === 'mediaType' && !isPart(holder))) return [];
        // If the right name is there too, the other one is only an unknown member.
        const isMissing = isObject(holder) && !Object.hasOwn(holder, meant);
        return isMissing ? [{ path, problem: `should be called ${meant}` }] : [];
      });

// In our words (1.0, 5.5 JSON Field Naming Convention): All field names are camelCase.
export const camelCase = law(
  'data/camel-case',
  'data.camel-case',
  'spell the names of members in camelCase',
  {
    ...noObject,
    advice: 'These are the names of the protobuf; JSON has its own: contextId, artifactId.',
    places: snakes,
  },
  (reading) => {
    const results = reading.documents.filter((document) => document.of === 'result' && isObject(document.value));
    if (results.length === 0 || !reading.valid) return 'not-concerned';
    for (const document of results) {
      const wrong = snakes(document).find(({ path }) => !isOfProbe(reading, document.value, path));
      if (wrong !== undefined) return `${document.name}${wrong.path} ${wrong.problem}`;
    }
    return 'holds';
  },
);

/** Members that have a meaning in another version of the protocol: a client of that version may take them seriously. */
const foreign: readonly (readonly [place: RegExp, version: string])[] = [
  [/^\/sessionId$/, '0.1'],
  [/\/parts\/\d+\/type$/, '0.1'],
  [/\/artifacts\/\d+\/(index|append|lastChunk)$/, '0.1'],
  [/(^|\/message|\/history\/\d+)\/content$/, 'the protobuf of 0.3'],
  [/\/file\/(fileWithBytes|fileWithUri|mediaType)$/, 'the protobuf of 0.3'],
  [/\/parts\/\d+\/(raw|url|filename|mediaType)$/, '1.0'],
];

const foreigners = ({ of, value, inspection }: Document): readonly BrokenPlace[] =>
  of !== 'result' || !isObject(value)
    ? []
    : inspection.findings.flatMap(({ rule, path }) => {
        if (rule !== 'data.no-unknown-members') return [];
        const [, version] = foreign.find(([place]) => place.test(path)) ?? [];
        return version === undefined ? [] : [{ path, problem: `is a member of ${version}` }];
      });

// In our words (1.0, 4.6 Extensions (rule from topics/extensions)): Results hold only members that the version defines;
//   custom data sits in metadata.
export const noUnknown = law(
  'data/no-unknown-members',
  'data.no-unknown-members',
  'hold no members of other versions of the protocol',
  { ...noObject, advice: 'Keep members of your own in metadata.', places: foreigners },
  (reading) => {
    const results = reading.documents.filter((document) => document.of === 'result' && isObject(document.value));
    if (results.length === 0 || !reading.valid) return 'not-concerned';
    for (const document of results) {
      const wrong = foreigners(document).find(({ path }) => !isOfProbe(reading, document.value, path));
      if (wrong !== undefined) return `${document.name}${wrong.path} ${wrong.problem}`;
    }
    return 'holds';
  },
).mutants(set('artifacts.index', 0));

/** Tokens of a JSON text that show where names stand. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** The first name that an object of a JSON text has twice. */
function twiceIn(text: string): string | undefined {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') last = token;
    else if (open.at(-1)?.has(last) === true) return last;
    else open.at(-1)?.add(last);
  }
  return undefined;
}

// In our words (1.0, 5.5 JSON Field Naming Convention): No object in an answer has a member of one name twice.
export const uniqueMembers = law(
  'data/unique-members',
  'data.unique-members',
  'have no member of one name twice',
  {
    otherwise: 'no JSON came',
    advice: 'Two pieces of code write the member, such as a type annotation and a field: leave one of them out.',
  },
  ({ replies, exchange }) => {
    // What was cut off, and what is very long, is left out.
    const texts = replies.flatMap(({ value, text }) => (isObject(value) && text.length <= 64 * 1024 ? [text] : []));
    if (exchange.response?.cut === true || texts.length === 0) return 'not-concerned';
    const [name] = texts.flatMap((text) => twiceIn(text) ?? []);
    return name === undefined ? 'holds' : `an object has ${name} twice`;
  },
);
