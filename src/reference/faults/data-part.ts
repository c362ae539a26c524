import { isObject, type JsonObject } from '../../model/index.js';
import { edited, onPart, set, without } from '../edits.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { allBut, before10 } from '../variant.js';

/** The kind of a part: its kind or, in some dialects, its type; since 1.0, the member that holds its content. */
const kindOf = (part: JsonObject): unknown =>
  part['kind'] ?? part['type'] ?? ['text', 'data'].find((name) => Object.hasOwn(part, name)) ?? 'file';
const onText = (edit: (part: JsonObject) => unknown): Patch =>
  onPart((part) => (kindOf(part) === 'text' ? edit(part) : part));
const onData = (edit: (part: JsonObject) => unknown): Patch =>
  onPart((part) => (kindOf(part) === 'data' ? edit(part) : part));

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
  fault('data-part-type-instead-of-kind', {
    about: 'Parts are told apart by `type`, as in 0.1.',
    breaks: ['data.part-kind'],
    profiles: allBut('openclaw', 'xpr', 'xpr-v2'),
    patch: onPart(({ kind, ...part }) => ({ type: kind, ...part })),
  }),
  fault('data-part-kind-instead-of-type', {
    about: 'Parts are told apart by `kind`, where the dialect says type.',
    breaks: ['data.part-kind'],
    profiles: ['openclaw', 'xpr', 'xpr-v2'],
    patch: onPart(({ type, ...part }) => ({ kind: type, ...part })),
  }),
  fault('data-part-of-unknown-kind', {
    about: 'Structured data are of the kind json.',
    breaks: ['data.part-kind'],
    patch: onData((part) => set(part, Object.hasOwn(part, 'type') ? 'type' : 'kind', 'json')),
  }),
  fault('data-part-type-beside-kind', {
    about: 'Parts have a type as well as a kind.',
    breaks: ['data.no-unknown-members'],
    profiles: allBut('openclaw', 'xpr', 'xpr-v2'),
    patch: onPart((part) => ({ type: kindOf(part), ...part })),
  }),
  fault('data-part-url-beside-file', {
    about: 'File parts have a url as well as a file, as in 1.0.',
    breaks: ['data.no-unknown-members'],
    profiles: before10,
    patch: onPart((part) =>
      isObject(part['file']) && part['file']['uri'] !== undefined ? { ...part, url: part['file']['uri'] } : part,
    ),
  }),
  fault('data-text-part-without-text', {
    about: 'Text parts have a value and no text.',
    breaks: ['data.text-part'],
    // Since 1.0 a part without `text` is no text part.
    profiles: before10,
    patch: onText(({ text, ...part }) => ({ ...part, value: text })),
  }),
  fault('data-text-is-an-object', {
    about: 'The text of a part is an object.',
    breaks: ['data.text-part'],
    notOver: ['grpc'],
    patch: onText((part) => edited(part, 'text', (text) => ({ value: text }))),
  }),
  fault('data-file-with-bytes-and-uri', {
    about: 'Files have bytes and a uri.',
    breaks: ['data.file-part'],
    notOver: ['grpc'],
    profiles: allBut('xpr', 'xpr-v2'),
    patch: onFile('bytes', (file) => ({ ...file, uri: 'https://example.com/pixel.png' })),
  }),
  fault('data-file-without-content', {
    about: 'A link to a file is left out.',
    breaks: ['data.file-part'],
    patch: onFile('uri', (file) => without(file, 'uri')),
  }),
  fault('data-file-part-without-file', {
    about: 'File parts have their bytes beside their kind.',
    breaks: ['data.file-part'],
    notOver: ['grpc'],
    patch: onPart(({ file, ...part }) => (isObject(file) ? { ...part, ...file } : part)),
  }),
  fault('data-bytes-in-base64url', {
    about: 'The bytes of files are written in base64url.',
    breaks: ['data.file-bytes'],
    // Readers of ProtoJSON take both alphabets.
    profiles: before10,
    patch: onFile('bytes', (file) =>
      edited(file, 'bytes', (bytes) => Buffer.from(String(bytes), 'base64').toString('base64url')),
    ),
  }),
  fault('data-bytes-as-data-url', {
    about: 'The bytes of files are data URLs.',
    breaks: ['data.file-bytes'],
    patch: onFile('bytes', (file, as) => edited(file, as.bytes, (bytes) => `data:image/png;base64,${String(bytes)}`)),
  }),
  fault('data-bytes-are-an-array', {
    about: 'The bytes of files are arrays of numbers.',
    breaks: ['data.file-bytes'],
    patch: onFile('bytes', (file, as) => edited(file, as.bytes, (bytes) => [...Buffer.from(String(bytes), 'base64')])),
  }),
  fault('data-uri-is-an-object', {
    about: 'The uri of a file is an object.',
    breaks: ['data.file-uri'],
    notOver: ['grpc'],
    patch: onFile('uri', (file, as) => edited(file, as.uri, (href) => ({ href }))),
  }),
  fault('data-uri-is-relative', {
    about: 'The uri of a file is relative.',
    breaks: ['data.file-uri-absolute'],
    patch: onFile('uri', (file, as) => set(file, as.uri, 'files/pixel.png')),
  }),
  fault('data-file-name-is-null', {
    about: 'The name of a file is null.',
    breaks: ['data.file-texts', 'data.no-nulls'],
    profiles: allBut('a2a-1.0'),
    patch: onFile('bytes', (file, as) => set(file, as.name, null)),
  }),
  fault('data-media-type-is-a-list', {
    about: 'The media type of a file is an array.',
    breaks: ['data.file-texts'],
    notOver: ['grpc'],
    patch: onFile('bytes', (file, as) => edited(file, as.mimeType, (type) => [type])),
  }),
  fault('data-files-in-snake-case', {
    about: 'Files have a mime_type, or a media_type.',
    breaks: ['data.camel-case'],
    patch: onFile('bytes', (file, as) => ({
      ...(without(file, as.mimeType) as object),
      [as === flat ? 'media_type' : 'mime_type']: file[as.mimeType],
    })),
  }),
  fault('data-part-with-two-contents', {
    about: 'Links come with a text in the same part.',
    breaks: ['data.part-content'],
    notOver: ['grpc'],
    profiles: ['a2a-1.0'],
    patch: onFile('uri', (file) => ({ ...file, text: 'See the link.' })),
  }),
  fault('data-part-without-content', {
    about: 'A link to a file is left out of its part.',
    breaks: ['data.part-content'],
    profiles: ['a2a-1.0'],
    patch: onFile('uri', (file, as) => without(file, as.uri)),
  }),
  fault('data-part-old-names', {
    about: 'Files have a name and a mimeType, as in 0.3.',
    breaks: ['data.no-old-part-names'],
    profiles: ['a2a-1.0'],
    patch: onFile('bytes', ({ filename, mediaType, ...file }) => ({ ...file, name: filename, mimeType: mediaType })),
  }),
  fault('data-part-kind-beside-content', {
    about: 'Parts have a kind, as in 0.3.',
    breaks: ['data.no-kind'],
    profiles: ['a2a-1.0'],
    patch: onPart((part) => ({ kind: kindOf(part), ...part })),
  }),
  fault('data-data-is-an-array', {
    about: 'The data of a data part are an array.',
    breaks: ['data.data-part'],
    notOver: ['grpc'],
    patch: onData((part) => edited(part, 'data', (data) => [data])),
  }),
  fault('data-data-is-a-text', {
    about: 'The data of a data part are JSON in a string.',
    breaks: ['data.data-part'],
    notOver: ['grpc'],
    patch: onData((part) => edited(part, 'data', (data) => JSON.stringify(data))),
  }),
  fault('data-data-is-null', {
    about: 'The data of a data part are null.',
    breaks: ['data.data-part', 'data.no-nulls'],
    notOver: ['grpc', 'a2a-1.0', 'a2a-1.0-rest'],
    patch: onData((part) => set(part, 'data', null)),
  }),
  fault('data-part-metadata-is-a-text', {
    about: 'The metadata of a part are a string.',
    breaks: ['data.part-metadata'],
    notOver: ['grpc'],
    patch: onPart((part) => set(part, 'metadata', 'none')),
  }),
];
