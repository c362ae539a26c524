import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Proof } from './prove.js';

const block = (title: string, items: readonly string[]): string =>
  items.length === 0 ? `${title}: none\n` : `${title}:\n${items.map((item) => `  - ${item}\n`).join('')}`;

const sorted = (items: readonly string[]): readonly string[] => [...items].sort();

/** The matrix as text: one kill a line and sorted, so that a change shows as the lines that it changes. */
export function matrixText(proof: Proof): string {
  const parts = [
    `# Kill matrix of ${proof.profile}. Made by npm run prove; every line is a measured verdict.\n`,
    '## Faults: the checks that fail on each\n',
    ...[...proof.faults]
      .sort(byId)
      .map((fault) => block(`${fault.id}${fault.void ? ' (VOID)' : ''}`, sorted(fault.kills))),
    '## Checks: the faults that kill each\n',
    ...[...proof.checks].sort(byId).map((check) => block(check.id, sorted(check.killedBy))),
    '## Conforming variants: what fails on each\n',
    ...[...proof.variants].sort(byId).map((variant) => block(variant.id, sorted(variant.fail))),
    '## Impostors: what passes on each\n',
    ...[...proof.impostors].sort(byId).map((impostor) => block(impostor.id, sorted(impostor.pass))),
  ];
  return parts.join('\n');
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

const fileOf = (folder: string, proof: Proof): string => join(folder, `${proof.profile}.txt`);

/** Writes `<folder>/<profile>.txt`. */
export function writeMatrix(proof: Proof, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder, proof), matrixText(proof));
}

/** The first lines in which the stored matrix differs from this proof; empty when it does not. */
export function checkMatrix(proof: Proof, folder: string): readonly string[] {
  const file = fileOf(folder, proof);
  if (!existsSync(file)) return [`${file} does not exist; npm run prove writes it`];
  const stored = readFileSync(file, 'utf8').split('\n');
  const now = matrixText(proof).split('\n');
  const gone = stored.filter((line) => !now.includes(line)).map((line) => `- ${line}`);
  const come = now.filter((line) => !stored.includes(line)).map((line) => `+ ${line}`);
  if (stored.join('\n') === now.join('\n')) return [];
  return [`${file} is not what was measured; npm run prove writes it anew`, ...gone.slice(0, 10), ...come.slice(0, 10)];
}
