export { doingBuffer, readDoing, writerOf } from './doing.js';
export { canBeIsolated, inTime, runIsolated, startThreadAhead } from './isolated.js';
export { type Patience, usualPatience, type Watch, watchOver } from './watch.js';
