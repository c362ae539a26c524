import type { Rule } from '../../src/kit/index.js';
import * as caching from './caching.js';
import * as extended from './extended.js';
import * as extensions from './extensions.js';
import * as interfaceVersions from './interface-versions.js';
import * as interfaces from './interfaces.js';
import * as published from './published.js';
import * as security from './security.js';
import * as signatures from './signatures.js';
import * as skills from './skills.js';
import * as structure from './structure.js';
import * as version from './version.js';

const files = [
  published,
  structure,
  skills,
  interfaces,
  interfaceVersions,
  security,
  extensions,
  signatures,
  extended,
  caching,
  version,
];

export const cardRules: readonly Rule[] = files.flatMap((file): readonly Rule[] => Object.values(file));
