import { baselineFile } from './config-text.js';
import type { Credential } from './credentials.js';
import type { Project } from './project.js';

export type Ci = 'github' | 'gitlab';

/** The file of the workflow. GitLab has one file of its own, which must include this one. */
export const workflowFiles: { readonly [Name in Ci]: string } = {
  github: '.github/workflows/a2a-tck.yml',
  gitlab: 'a2a-tck.gitlab-ci.yml',
};

/**
 * The actions of the workflow by digest, with their versions beside them: the owner of a tag may move it, and so
 * decides what it runs. The workflows of this repository use the same (test/workflows.test.ts).
 */
const actions = {
  checkout: 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  node: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  upload: 'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0',
} as const;

const command = (version: string, credentials: readonly Credential[]): string =>
  [
    `npx --yes a2a-tck@${version} --config a2a-tck.config.yaml --wait 60 --baseline ${baselineFile}`,
    '--report console --report markdown=a2a.md --report junit=a2a.xml --report html=a2a.html --report json=a2a.json',
    ...credentials.flatMap(({ argument }) => argument ?? []),
  ].join(' ');

const place = 'at the URL of a2a-tck.config.yaml';
const change = ({ about }: Project): string => `# This is ${about}. Change what does not fit your agent.`;
/** In the background; what it prints is kept. */
const started = ({ start }: Project): string => `${start} > agent.log 2>&1 &`;

/** Lines of a script, as a block: colons and quotes in them have a meaning in YAML. */
const script = (indent: string, lines: readonly string[]): readonly string[] => lines.map((line) => `${indent}${line}`);

const githubStep = (name: string, lines: readonly string[]): readonly string[] => [
  `      - name: ${name}`,
  '        run: |',
  ...script('          ', lines),
];

const githubStart = (project: Project | undefined): readonly string[] =>
  project === undefined
    ? [`      # Start your agent here, in the background, ${place}: the next step waits for it.`]
    : [
        `      ${change(project)}`,
        ...githubStep('Build the agent', project.build),
        `      # It listens ${place}: the next step waits for it.`,
        ...githubStep('Start the agent', [`nohup ${started(project)}`]),
      ];

const github = (version: string, credentials: readonly Credential[], project: Project | undefined): string =>
  [
    'name: A2A conformance',
    'on: [push, pull_request]',
    'permissions:',
    '  contents: read',
    'jobs:',
    '  a2a-tck:',
    '    runs-on: ubuntu-latest',
    '    timeout-minutes: 20',
    '    steps:',
    `      - uses: ${actions.checkout}`,
    `      - uses: ${actions.node}`,
    '        with: { node-version: 22, package-manager-cache: false }',
    ...githubStart(project),
    ...githubStep('Test the agent', [command(version, credentials)]),
    ...(credentials.length === 0 ? [] : ['        env:']),
    ...credentials.map(({ variable }) => `          ${variable}: \${{ secrets.${variable} }}`),
    '      - name: Show the result',
    '        if: always()',
    '        run: |',
    '          if [ -s a2a.md ]; then cat a2a.md >> "$GITHUB_STEP_SUMMARY"; fi',
    '      - name: Keep the reports',
    '        if: always()',
    `        uses: ${actions.upload}`,
    '        with:',
    '          name: a2a-tck',
    '          path: |',
    '            a2a.*',
    '            agent.log',
    '',
  ].join('\n');

const gitlabStart = (project: Project | undefined): readonly string[] =>
  project === undefined
    ? ['  image: node:22', '  script:', `    # Start your agent here, in the background, ${place}.`]
    : [
        `  ${change(project)}`,
        `  image: ${project.image}`,
        ...(project.install.length === 0
          ? []
          : ['  before_script:', ...project.install.map((line) => `    - ${line}`)]),
        '  script:',
        '    - |',
        ...script('      ', [...project.build, started(project)]),
      ];

/** GitLab puts the variables of a project into the environment of its jobs, so none are set here. */
const gitlab = (version: string, credentials: readonly Credential[], project: Project | undefined): string =>
  [
    '# Take it into .gitlab-ci.yml:',
    '#   include:',
    '#     - local: a2a-tck.gitlab-ci.yml',
    ...credentials.map(({ variable }) => `# It needs the masked variable ${variable}, set for the project.`),
    'a2a-tck:',
    ...gitlabStart(project),
    '    - |',
    `      ${command(version, credentials)}`,
    '  artifacts:',
    '    when: always',
    '    paths: [a2a.json, a2a.html, agent.log]',
    '    reports: { junit: a2a.xml }',
    '',
  ].join('\n');

/** The workflow of a CI system for an agent. `project`: how it is built and started; undefined: the user writes that. */
export const workflowText = (ci: Ci, version: string, credentials: readonly Credential[], project?: Project): string =>
  ci === 'github' ? github(version, credentials, project) : gitlab(version, credentials, project);
