import { printable, shellWord } from '../../../wire/index.js';

/**
 * The content of a script. `options`: of the kit, beside the URL. `needs`: what the user must provide, with reasons.
 */
export interface ReplayScript {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  readonly replay: unknown;
  /** Of the agent, as the user gave it. */
  readonly url: string;
  readonly options: string;
  readonly needs: readonly string[];
  /** The package that found it, `a2a-tck@1.2.3`. */
  readonly kit: string;
}

/**
 * curl cannot repeat requests that are signed or paid when they are sent: the script hands the case to the kit. It ends
 * as the scripts of curl do: 0 it shows, 1 it does not, 2 no answer.
 */
export const replayScript = ({ id, title, origin, replay, url, options, needs, kit }: ReplayScript): string =>
  [
    '#!/bin/sh',
    `# ${printable(`${id}: ${title}`, 400)}`,
    `# ${printable(origin, 400)}`,
    ...needs.map((line) => `# ${line}`),
    `# sh ${id}.sh [url] [options of a2a-tck fuzz]; exit code 0: it shows, 1: it does not, 2: no agent or no kit.`,
    `# A2A_TCK: how the kit is run, "npx --yes ${kit}" unless said.`,
    `url=${shellWord(url)}`,
    `case \${1-} in http://* | https://*) url=$1; shift ;; esac`,
    `kit=\${A2A_TCK:-npx --yes ${kit}}`,
    // npm ends with 1, too, where it finds no kit.
    '$kit --version >/dev/null 2>&1 || { echo "the kit cannot be run: $kit" >&2; exit 2; }',
    `file=\${TMPDIR:-/tmp}/${id}.$$.json`,
    `trap 'rm -f "$file"' EXIT`,
    `printf '%s\\n' ${shellWord(JSON.stringify(replay))} >"$file"`,
    `$kit fuzz --url "$url"${options} --replay "$file" "$@"`,
    'case $? in 0) exit 1 ;; 1) exit 0 ;; *) exit 2 ;; esac',
    '',
  ].join('\n');
