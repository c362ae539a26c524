export { doingBuffer, readDoing, writerOf } from './doing.js';
export { startThreadAhead } from './isolated.js';
export { runTarget } from './run-target.js';
export { type Patience, usualPatience, type Watch, watchOver } from './watch.js';
