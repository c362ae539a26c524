import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { readOpen, readWithin } from './read.js';

/** Who runs the kit. */
export interface User {
  readonly uid: number;
  /** Whether no other user belongs to a group. */
  readonly isAlone: (gid: number) => boolean;
}

/** Whether a group is that of the user alone: systems that make one for each user let it write by default. */
function isOwnGroup(gid: number): boolean {
  try {
    const { username, gid: own } = userInfo();
    if (gid !== own) return false;
    const lines = readWithin('/etc/group', 1024 * 1024, { isPlain: true })
      .toString('utf8')
      .split('\n');
    const rows = lines.map((line) => line.split(':')).filter(([, , id]) => id === String(gid));
    return (
      rows.length > 0 &&
      rows.every(([name, , , members = '']) => name === username && (members === '' || members === username))
    );
  } catch {
    return false;
  }
}

/** Who runs this process; undefined: the system has no owners of files (Windows). */
export function thisUser(): User | undefined {
  const uid = process.geteuid?.();
  return uid === undefined ? undefined : { uid, isAlone: isOwnGroup };
}

const writesGroup = 0o020;
const writesAll = 0o002;

/** Why something is not only the user's own; undefined: no other user can change it. `name`: "it". */
function foreign(
  { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>,
  name: string,
  user: User,
  owners: readonly number[],
): string | undefined {
  if (!owners.includes(uid)) return `${name} belongs to another user`;
  const isOpen = (mode & writesAll) !== 0 || ((mode & writesGroup) !== 0 && !user.isAlone(gid));
  return isOpen ? `others may write ${name} (mode ${(mode & 0o7777).toString(8)})` : undefined;
}

/** Why another user can change a folder; undefined: none can. Root may do anything anywhere. */
export const foreignFolder = (stats: Stats, user: User | undefined): string | undefined =>
  user === undefined ? undefined : foreign(stats, 'its folder', user, [user.uid, 0]);

/**
 * Reads a file that the user did not name, only because it lies where the kit looks: it must be the user's own, and no
 * other user may write or exchange it. Throws an `Error` that says what it is instead, or why it cannot be read.
 */
export function readFound(file: string, most: number, user: User | undefined): Buffer {
  const real = realpathSync(file);
  const refuse = (why: string | undefined): void => {
    if (why !== undefined) throw new Error(why);
  };
  if (user !== undefined) {
    if (lstatSync(file).uid !== user.uid) refuse('it belongs to another user');
    for (const folder of new Set([dirname(file), dirname(real)])) refuse(foreignFolder(statSync(folder), user));
  }
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = openSync(real, flags);
  try {
    // What is open is judged: the name may be given to another file meanwhile.
    if (user !== undefined) refuse(foreign(fstatSync(handle), 'it', user, [user.uid]));
    return readOpen(handle, most, { isPlain: true });
  } finally {
    closeSync(handle);
  }
}
