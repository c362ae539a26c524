import { printable, shellWord } from '../../wire/index.js';

/** Where every request is signed as it is sent, curl cannot repeat it: the script hands the case to the kit. */
export function replayScript(id: string, title: string, replay: unknown, origin: string): string {
  return [
    '#!/bin/sh',
    `# ${printable(`${id}: ${title}`, 400)}`,
    `# ${printable(origin, 400)}`,
    '# The requests are signed as they are sent, which curl cannot do. Who signs is said as in any run:',
    `# A2A_TCK_XPR_KEY=… sh ${id}.sh --url <url> --xpr-account <name>; exit code 1: it shows, 0: it does not.`,
    `file=\${TMPDIR:-/tmp}/${id}.$$.json`,
    `trap 'rm -f "$file"' EXIT`,
    `printf '%s\\n' ${shellWord(JSON.stringify(replay))} >"$file"`,
    'npx a2a-tck fuzz --replay "$file" "$@"',
    '',
  ].join('\n');
}
