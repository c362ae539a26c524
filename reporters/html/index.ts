// What other pages are made of.
export { html, type Markup } from './markup.js';
export { style } from './style.js';
