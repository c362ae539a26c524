export { checkWay, makeFolder } from './folder.js';
export { foreignFolder, readFound, thisUser, type User } from './found.js';
export { readStdin, readWithin } from './read.js';
export { whyOf } from './why.js';
export { checkPlace, openFile, type PartialFile, type Writing, writeWhole } from './write.js';
