import type { Header } from '../wire/index.js';
import type { Reply } from './calls.js';

export const jsonHeaders: readonly Header[] = [['content-type', 'application/json']];

export const plainReply = (status: number, text: string, headers: readonly Header[] = []): Reply => ({
  status,
  headers: [['content-type', 'text/plain; charset=utf-8'], ...headers],
  body: `${text}\n`,
});

export const notAllowed = (methods: string): Reply => plainReply(405, 'Method not allowed', [['allow', methods]]);

export const jsonReply = (status: number, value: unknown): Reply => ({
  status,
  headers: jsonHeaders,
  body: JSON.stringify(value),
});
