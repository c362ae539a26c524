export { type Deed, deeds, type Option } from './shared/option.js';
export { type GroupName, groupNames, groups, optionsIn, type Values } from './table.js';
