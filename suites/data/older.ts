import { conforms, foundIn, set } from '../../src/kit/index.js';

// A2A 1.0 §A.2.1: members of 0.3 results that 1.0 removed. AMB10-31: unknown members are ignored, so it only warns.

// In our words (1.0, A.2.1 Breaking Change: Kind Discriminator Removed): No object carries the 0.3 `kind` member.
export const noKind = conforms('data/no-kind', 'data.no-kind', 'hold objects without a `kind`', {
  otherwise: 'no result came',
  advice: 'Clients distinguish results of 1.0 by the member that holds them: {"task": …}, {"text": …}.',
  // The schemas find it in the object that has the member.
  places: (document) =>
    foundIn(document, ({ rule }) => rule === 'data.no-kind').map(({ path }) => ({
      path: `${path}/kind`,
      problem: 'is a member of 0.3',
    })),
}).mutants(set('task.kind', 'task'));

// In our words (1.0, A.2.1 Breaking Change: Kind Discriminator Removed): Parts use filename and mediaType, not the 0.3
//   names.
export const partNames = conforms(
  'data/no-old-part-names',
  'data.no-old-part-names',
  'call the name and the type of a file filename and mediaType',
  {
    otherwise: 'set behaviours.completed: no part came',
    advice: 'Write filename and mediaType beside url or raw: name, mimeType and file are members of 0.3.',
  },
).mutants(set('parts.mimeType', 'text/plain'));
