import { isObject, isString, type JsonObject } from '../../model/index.js';
import { excerpt } from '../../wire/index.js';

// A2A 0.3 §5.4: how to recognise a plain secret in a card.

// Known forms of credentials. Repetitions are bounded, so that no text of the agent makes the search slow.
const forms: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/, 'a private key'],
  [/\beyJ[\w-]{10,300}\.eyJ[\w-]{10,300}/, 'a JSON Web Token'],
  [/\b(?:sk|rk)[-_](?=[\w-]{0,40}\d)(?:(?:live|test|proj|ant)[-_])?[A-Za-z0-9]{20,80}/, 'an API key'],
  [/\bgh[pousr]_[A-Za-z0-9]{30,80}/, 'a GitHub token'],
  [/\bAKIA[0-9A-Z]{16}\b/, 'an AWS key'],
  [/\bAIza[\w-]{35}/, 'a Google key'],
  [/\bxox[abprs]-[\w-]{10,80}/, 'a Slack token'],
  [/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#\s:@]{1,100}:[^/?#\s@]{1,100}@/i, 'a URL with a password'],
  [
    /[?&](?:api[-_]?key|access[-_]?token|token|secret|password)=(?!your|my[-_]|example|xxx)[^&#\s<{]{8}/i,
    'a URL with a credential',
  ],
  [/\b(?:Bearer|Basic) +(?=\S{0,100}\d)[\w.~+/-]{20,500}/, 'an Authorization header'],
];
const secretName =
  /^(?:x[-_])?(?:api[-_]?key|access[-_]?token|auth[-_]?token|token|client[-_]?secret|secret|passw(?:or)?d|private[-_]?key)$/i;
/** Whether a text is one word of mixed letters and digits: no sentence, no placeholder, no name of a header. */
const looksRandom = (text: string): boolean =>
  /^[\w.~+/=-]{12,500}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text) && !/your|example|x{4}/i.test(text);

/** The kind of credential that a text looks like; undefined: none. */
export const secretForm = (text: string): string | undefined => forms.find(([form]) => form.test(text))?.[1];

const enough = 200_000;

/**
 * The place of the first text that looks like a secret, and its kind; never the secret itself. Undefined: none was
 * found.
 */
export function findSecret(card: JsonObject): string | undefined {
  const left: (readonly [path: string, name: string, value: unknown])[] = [['', '', card]];
  let searched = 0;
  for (let next = left.pop(); next !== undefined && searched < enough; next = left.pop()) {
    const [path, name, value] = next;
    searched++;
    if (isString(value)) {
      const text = value.slice(0, 10_000);
      searched += text.length;
      const found = secretForm(text);
      if (found !== undefined) return `${path} looks like ${found}`;
      if (secretName.test(name) && looksRandom(text)) return `${path} looks like a secret`;
    } else if (isObject(value) || Array.isArray(value)) {
      for (const [inner, item] of Object.entries(value).slice(0, 2000)) {
        // Signatures are public, and random by nature.
        if (path === '' && inner === 'signatures') continue;
        left.push([`${path}/${excerpt(inner, 60)}`.slice(-300), inner, item]);
      }
    }
  }
  return undefined;
}
