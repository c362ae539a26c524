import type { Rule } from '../../src/kit/index.js';
import * as artifact from './artifact.js';
import * as members from './members.js';
import * as message from './message.js';
import * as older from './older.js';
import * as part from './part.js';
import * as status from './status.js';
import * as task from './task.js';

export const dataRules: readonly Rule[] = [task, status, message, part, artifact, members, older].flatMap(
  (file): readonly Rule[] => Object.values(file),
);
