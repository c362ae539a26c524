import { isObject, type JsonObject } from '../../model/index.js';
import { edited, onPart } from '../edits.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { before10 } from '../variant.js';

/** The kind of a part: its kind or, in some dialects, its type; since 1.0, the member that holds its content. */
const kindOf = (part: JsonObject): unknown =>
  part['kind'] ?? part['type'] ?? ['text', 'data'].find((name) => Object.hasOwn(part, name)) ?? 'file';

type Names = Readonly<Record<'bytes' | 'uri' | 'name' | 'mimeType', string>>;
const inside: Names = { bytes: 'bytes', uri: 'uri', name: 'name', mimeType: 'mimeType' };
/** Since 1.0 the members of a file are in the part itself. */
const flat: Names = { bytes: 'raw', uri: 'url', name: 'filename', mimeType: 'mediaType' };
/** Edits the file of every file part with this kind of content; `as`: how its members are called. */
const onFile = (content: 'bytes' | 'uri', edit: (file: JsonObject, as: Names) => unknown): Patch =>
  onPart((part) => {
    if (Object.hasOwn(part, flat[content])) return edit(part, flat);
    return edited(part, 'file', (file) =>
      isObject(file) && Object.hasOwn(file, inside[content]) ? edit(file, inside) : file,
    );
  });

export const dataPartFaults = [
  fault('data-part-url-beside-file', {
    about: 'File parts have a url as well as a file, as in 1.0.',
    breaks: ['data.no-unknown-members'],
    profiles: before10,
    patch: onPart((part) =>
      isObject(part['file']) && part['file']['uri'] !== undefined ? { ...part, url: part['file']['uri'] } : part,
    ),
  }),
  fault('data-bytes-are-an-array', {
    about: 'The bytes of files are arrays of numbers.',
    breaks: ['data.file-bytes'],
    patch: onFile('bytes', (file, as) => edited(file, as.bytes, (bytes) => [...Buffer.from(String(bytes), 'base64')])),
  }),
  fault('data-part-kind-beside-content', {
    about: 'Parts have a kind, as in 0.3.',
    breaks: ['data.no-kind'],
    profiles: ['a2a-1.0'],
    patch: onPart((part) => ({ kind: kindOf(part), ...part })),
  }),
];
