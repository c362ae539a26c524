export { configText } from './config-text.js';
export { type Credential, credentialNeeds } from './credentials.js';
export { type Ci, workflowFiles, workflowText } from './workflow.js';
