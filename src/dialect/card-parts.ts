import {
  type Extension,
  isObject,
  type JsonObject,
  member,
  type Skill,
  stringMember,
  strings,
} from '../model/index.js';
import { map } from './codec.js';

// Parts of the card that all versions spell alike.

/** The objects of an array; an empty array for anything else. */
export const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** 0.3.0 §5.5.2.1, 1.0 §4.4.4: extensions without a uri cannot be named and are left out. */
export function readExtensions(wire: unknown): readonly Extension[] {
  return objects(wire).flatMap((entry) => {
    const uri = stringMember(entry, 'uri');
    const params = map.decode(member(entry, 'params'));
    if (uri === undefined) return [];
    return [{ uri, required: member(entry, 'required') === true, ...(params === undefined ? {} : { params }) }];
  });
}

/** 0.3.0 §5.5.4, 1.0 §4.4.5. */
export const readSkills = (wire: unknown): readonly Skill[] =>
  objects(wire).map((skill) => ({
    id: stringMember(skill, 'id') ?? '',
    inputModes: strings(member(skill, 'inputModes')),
    outputModes: strings(member(skill, 'outputModes')),
  }));
