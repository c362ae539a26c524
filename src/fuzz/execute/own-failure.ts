/** Server errors that mean a limit or something unsupported, not a defect. */
const innocent: ReadonlySet<number> = new Set([501, 503, 504, 505]);

/** Whether an HTTP status says that the agent itself has failed (RFC 9110 §15.6). */
export const isOwnFailure = (status: number): boolean => status >= 500 && !innocent.has(status);
