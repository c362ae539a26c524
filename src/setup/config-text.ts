import { charging, setupOf } from '../../packs/options.js';
import { type Detected, oauthFlows } from '../run/index.js';
import { canParseUrl, printable } from '../wire/index.js';
import { credentialNeeds } from './credentials.js';

/** Every JSON text is valid YAML. */
const quoted = (text: string): string => JSON.stringify(printable(text, 1000));
const comment = (text: string): string => `# ${printable(text, 200)}`;
const off = (line: string): string => `# ${line}`;

const behaviours: readonly (readonly [goal: string, words: string])[] = [
  ['completed', 'What is 2 + 2?'],
  ['input-required', 'Book a flight for me.'],
  ['working', 'Write a very long report about the history of tea.'],
  ['failed', 'Divide one by zero, and give up when that fails.'],
  ['message', 'Just say hello.'],
  ['artifact-file', 'Draw a red dot and give me the picture.'],
  ['artifact-data', 'Give me the weekly report as data.'],
  ['streamed-chunks', 'Tell me a long story.'],
  ['long-running', 'Look into ten sources, one after the other.'],
];

type Block = readonly string[];

/** How the agent was reached while the file was written: it is reached in the same way in a run. */
export interface Reached {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly insecure?: boolean;
  readonly resolve?: readonly string[];
}

function networkBlock({ caFile, certFile, keyFile, insecure, resolve = [] }: Reached): Block {
  const lines = [
    ...(caFile === undefined ? [] : [`ca-file: ${quoted(caFile)}`]),
    ...(certFile === undefined ? [] : [`cert-file: ${quoted(certFile)}`]),
    ...(keyFile === undefined ? [] : [`key-file: ${quoted(keyFile)}`]),
    ...(insecure === true ? ['# No certificate is checked; every report says so.', 'insecure: true'] : []),
    ...(resolve.length === 0 ? [] : [`resolve: [${resolve.map(quoted).join(', ')}]`]),
  ];
  return lines.length === 0 ? [] : ['# How it is reached: docs/networks.md is the guide.', ...lines];
}

/** The line that lets the kit send a client's secret to another origin: the user decides that, not the card. */
function tokenOrigin({ target: { card, cardDocument, url } }: Detected): Block {
  const demanded = new Set(card.security.flatMap((item) => Object.keys(item)));
  const flow = oauthFlows(cardDocument).find(
    (oauthFlow) => oauthFlow.grant === 'client-credentials' && demanded.has(oauthFlow.scheme),
  );
  if (flow === undefined || !canParseUrl(flow.tokenUrl)) return [];
  const { origin } = new URL(flow.tokenUrl);
  const agent = canParseUrl(url) ? new URL(url) : undefined;
  if (agent?.origin === origin) return [];
  return [
    '# Is this the server that you know? Then let the kit send the secret there:',
    comment(`allow-origin: ${origin}`),
  ];
}

function credentialBlock(detected: Detected): Block {
  const { card, cardDocument } = detected.target;
  const { credentials, isOpen } = credentialNeeds(card, cardDocument);
  if (isOpen) {
    return [
      '# The card asks for credentials that this command cannot name: see --header, --bearer-env and --query-env.',
    ];
  }
  const lines = credentials.flatMap(({ variable, setting, argument, about }) => [
    comment(`The card asks for ${about}: put it into the environment variable ${variable}.`),
    setting ?? comment(`A file would show it, so it is an argument: ${argument ?? ''}`),
  ]);
  const isClient = credentials.some(({ setting = '' }) => setting.startsWith('oauth-'));
  return isClient ? [...lines, ...tokenOrigin(detected)] : lines;
}

function pushBlock({ target: { card } }: Detected): Block {
  if (!card.capabilities.push) return [];
  return [
    '# The card claims push notifications. An agent on this machine reaches the kit by itself; for others say where:',
    off('webhook: 0.0.0.0:8099'),
    off('webhook-url: https://ci.example/hook'),
  ];
}

function paymentBlock({ target: { card } }: Detected): Block {
  // The extension of payments, whatever its version.
  if (!card.capabilities.extensions.some(({ uri }) => uri.toLowerCase().includes(charging.pack))) return [];
  const { guide, suggested } = setupOf(charging.pack);
  return [comment(guide), ...suggested.map(off)];
}

function signingBlock({ dialect }: Detected): Block {
  if (dialect.signed === undefined) return [];
  const { guide, suggested } = setupOf(dialect.signed.pack);
  return [`# Callers of this agent sign. ${guide}`, ...suggested.map(off)];
}

function aboutAgent(detected: Detected | undefined): Block {
  if (detected === undefined)
    return ['# Written without an agent. a2a-tck init --url <its URL> --force asks it what it can do.'];
  const { name = 'an agent without a name', version = '', capabilities } = detected.target.card;
  const claims = [
    ...(capabilities.streaming ? ['streaming'] : []),
    ...(capabilities.push ? ['push notifications'] : []),
    ...(capabilities.extendedCard ? ['an extended card'] : []),
  ];
  return [
    comment(`Written for ${name} ${version}`.trim()),
    comment(`It claims ${claims.length === 0 ? 'no optional capability' : claims.join(', ')}.`),
  ];
}

/** The file of known failures that the workflow names. */
export const baselineFile = 'a2a-baseline.yaml';

/** That file while nothing is known to fail. */
export const baselineText = [
  '# Failures that the gate tolerates, each with a reason. This command writes those of today:',
  `#   a2a-tck --baseline ${baselineFile} --update-baseline`,
  '# An entry:',
  '#   known:',
  '#     - check: task/cancel-terminal-refused',
  '#       reason: release 1.4 repairs it',
  '#       expires: 2030-01-31',
  'known: []',
  '',
].join('\n');

/** `a2a-tck.config.yaml`. `detected`: what was found at the URL, if it was asked. */
export function configText(
  url: string | undefined,
  detected: Detected | undefined,
  schemaUrl: string,
  reached: Reached = {},
  set?: string,
): string {
  const blocks: readonly Block[] = [
    [
      `# yaml-language-server: $schema=${schemaUrl}`,
      '# Options of a2a-tck run by the same names; arguments win over them. Run it with',
      '#   a2a-tck --config a2a-tck.config.yaml',
      ...aboutAgent(detected),
    ],
    ['# Base, card or endpoint URL of the agent.', `url: ${quoted(url ?? 'http://localhost:4000')}`],
    networkBlock(reached),
    [
      '# What it speaks; auto finds it out in each run.',
      `profile: ${detected === undefined ? 'auto' : detected.dialect.id}`,
    ],
    ...(detected === undefined
      ? []
      : [credentialBlock(detected), pushBlock(detected), signingBlock(detected), paymentBlock(detected)]),
    set === undefined
      ? []
      : [
          '# The checks that count for the gate: a later kit judges more, and reports it, but turns no gate red by itself.',
          `set: ${set}`,
        ],
    [
      '# Percent of the MUST checks that must be shown either way (default 50), once you know what can be shown.',
      off('min-proof: 80'),
      '# Known failures, each with a reason and perhaps a last day; --update-baseline writes it.',
      off(`baseline: ${baselineFile}`),
      '# Hard caps, for an agent that costs money.',
      off('budget: { requests: 500, tasks: 60 }'),
    ],
    [
      '# Words that bring this agent where checks need it. What is not reached without them is inconclusive, and says so.',
      off('behaviours:'),
      ...behaviours.map(([goal, words]) => off(`  ${goal}: ${words}`)),
    ],
    [
      '# What you expect of answers beside the protocol: it counts for the gate. docs/expectations.md is the guide.',
      off('expect:'),
      off('  - { name: greets, prompt: Hello, contains: hello, within: 10 }'),
    ],
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}
