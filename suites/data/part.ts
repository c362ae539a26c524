import { type BrokenPlace, brief, canParseUrl, conforms, isString, law } from '../../src/kit/index.js';
import { partsOf, shown } from './shown.js';

// A2A 0.3 §6.5 Part Union Type, §6.6 FileBase Object; 1.0 §4.1.6 Part.

const noFile = { otherwise: 'set behaviours.artifact-file: no file came' };
const noLink = { otherwise: 'set behaviours.artifact-file-uri: no file came as a link' };

// In our words (0.3, 6.5 Part Union Type): Part.kind is text, file or data.
export const kind = conforms('data/part-kind', 'data.part-kind', 'mark each part with the kind text, file or data', {
  otherwise: 'set behaviours.completed: no part came',
  advice: 'The member is called `kind` since 0.2; before, it was `type`.',
});

// In our words (1.0, 4.1.6 Part): A part holds exactly one of text, raw, url, data.
export const content = conforms(
  'data/part-content',
  'data.part-content',
  'hold exactly one of text, raw, url and data in each part',
  {
    otherwise: 'set behaviours.completed: no part came',
    advice: 'Put a text that belongs to a file into a part of its own, and drop a part in which nothing is set.',
  },
);

// In our words (1.0, 4.1.6 Part): part.text is a string.
export const text = conforms('data/text-part', 'data.text-part', 'hold a string in the text of a text part', {
  otherwise: 'set behaviours.artifact-text: no text part came',
  advice: 'Put the words into the member text, as one text: not into value or content, and not as an object.',
});

// In our words (0.3, 6.5.2 FilePart Object): A file part has a `file` object with exactly one of `bytes` or `uri`.
export const file = conforms(
  'data/file-part',
  'data.file-part',
  'hold either bytes or a uri in the file of a file part',
  {
    ...noFile,
    advice:
      'Put the content into `file`, as bytes or as uri: "file": {"uri": "https://…"}. Leave the other one out, also as null.',
  },
);

// In our words (1.0, 4.1.6 Part): part.raw is base64.
export const bytes = conforms('data/file-bytes', 'data.file-bytes', 'write the bytes of a file in base64', {
  ...noFile,
  advice: 'Use the standard alphabet with padding, and no `data:` prefix.',
});

// In our words (1.0, 4.1.6 Part): part.url is a string.
export const uri = conforms('data/file-uri', 'data.file-uri', 'write the uri of a file as a string', {
  ...noLink,
  advice: 'Convert URL objects to texts before they are serialized: "uri": "https://…", in 1.0 "url".',
});

/** The links of files in a task or message that are not absolute, whatever the version calls the member. */
function relativeLinks(value: unknown, at = '', levels = 0): readonly BrokenPlace[] {
  if (typeof value !== 'object' || value === null || levels > 8) return [];
  return Object.entries(value).flatMap(([name, inner]): readonly BrokenPlace[] => {
    if (name === 'metadata' || name === 'data') return [];
    const isLink = (name === 'uri' || name === 'url') && isString(inner) && !canParseUrl(inner);
    if (isLink) return [{ path: `${at}/${name}`, problem: 'is not absolute', seen: brief(inner) }];
    return relativeLinks(inner, `${at}/${name}`, levels + 1);
  });
}

// In our words (1.0, 4.1.6 Part): part.url is an absolute URL, which a client can follow.
export const uriAbsolute = law(
  'data/file-uri-absolute',
  'data.file-uri-absolute',
  'link files by absolute URLs',
  {
    ...noLink,
    advice: 'Write the whole URL, https://… included: clients do not know on which host a path is meant.',
    places: ({ of, value }) => (of === 'result' ? relativeLinks(value) : []),
  },
  (reading) => {
    const links = partsOf(shown(reading)).flatMap((part) =>
      part.kind === 'file' && part.uri !== undefined ? [part.uri] : [],
    );
    const relative = links.find((link) => !canParseUrl(link));
    if (relative !== undefined) return `the link ${relative} is not absolute`;
    return links.length > 0 ? 'holds' : 'not-concerned';
  },
);

// In our words (1.0, 4.1.6 Part): Part.filename and Part.mediaType are strings when present.
export const fileTexts = conforms(
  'data/file-texts',
  'data.file-texts',
  'write the name and the media type of a file as strings',
  {
    otherwise: 'set behaviours.artifact-file: no file with a name or media type came',
    advice:
      'Write one text each, neither null nor a list: name and mimeType in file, in 1.0 filename and mediaType in the part.',
  },
);

// In our words (0.3, 6.5.3 DataPart Object): A data part has an object `data`.
export const data = conforms('data/data-part', 'data.data-part', 'hold an object in the data of a data part', {
  otherwise: 'set behaviours.artifact-data: no data part came',
  advice: 'Wrap lists and single values in an object, {"items": […]}, and do not write JSON as a text.',
});

// In our words (1.0, 4.1.6 Part): Part.metadata is an object when present.
export const metadata = conforms(
  'data/part-metadata',
  'data.part-metadata',
  'hold the metadata of a part in an object',
  {
    otherwise: 'no part with metadata came',
    advice:
      'An object that is serialized twice becomes a text: hand metadata to the serializer as an object, or leave them out.',
  },
);
