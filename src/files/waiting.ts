const nobody = new Int32Array(new SharedArrayBuffer(4));

/** Sleeps with the thread, ms: files are read and written at once, and a pipe may need a moment. */
export const sleep = (ms: number): void => void Atomics.wait(nobody, 0, 0, ms);

/** Ms between two looks at a pipe. */
export const lookEveryMs = 10;

/** Whether a pipe has nothing yet, or no room yet. */
export const isLater = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN';
