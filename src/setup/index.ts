export { baselineFile, baselineText, configText } from './config-text.js';
export { credentialNeeds } from './credentials.js';
export { type Project, projectOf, type ReadFile } from './project.js';
export { type Ci, workflowFiles, workflowText } from './workflow.js';
