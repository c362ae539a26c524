import type { Dialect } from '../../dialect/index.js';
import type { Operation } from '../../model/index.js';

/** Whether a member of the params stands in the path, so that no request goes out without it. */
export const isInPath = ({ binding, operations }: Dialect, operation: Operation, member: string): boolean =>
  binding.requests === 'paths' && operations[operation]?.http?.path.includes(`{${member}}`) === true;
