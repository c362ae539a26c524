export { configText } from './config-text.js';
export { credentialNeeds } from './credentials.js';
export { type Ci, workflowFiles, workflowText } from './workflow.js';
