// What other pages are made of.
export { html, type Markup } from './markup.js';
export { policyOf } from './policy.js';
export { style } from './style.js';
