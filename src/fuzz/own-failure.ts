/** Server errors that speak of a limit or a method, and not of a defect. */
const innocent: ReadonlySet<number> = new Set([501, 503, 504, 505]);

/** An HTTP status with which an agent says that it has failed itself (RFC 9110 §15.6). */
export const isOwnFailure = (status: number): boolean => status >= 500 && !innocent.has(status);
