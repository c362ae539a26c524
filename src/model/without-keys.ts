/** Matches whatever may be a key: keys have only these characters in every format, and names are shorter. */
const keyShaped = /[0-9A-Za-z]{40,}/g;

/** Hides possible keys in a text: a key in the wrong place must not be printed to a terminal or a log. */
export const withoutKeys = (text: string): string => text.replace(keyShaped, '[hidden]');
