import type { Credential } from './credentials.js';

export type Ci = 'github' | 'gitlab';

/** The file of the workflow. GitLab has one file of its own, which must include this one. */
export const workflowFiles: { readonly [Name in Ci]: string } = {
  github: '.github/workflows/a2a-tck.yml',
  gitlab: 'a2a-tck.gitlab-ci.yml',
};

/**
 * The actions of the workflow by digest, with their versions beside them: whoever may move a tag decides what it runs. The
 * workflows of this repository use the same (test/workflows.test.ts).
 */
const actions = {
  checkout: 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  node: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  upload: 'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0',
} as const;

const command = (version: string, credentials: readonly Credential[]): string =>
  [
    `npx --yes a2a-tck@${version} --config a2a-tck.config.yaml`,
    '--report console --report junit=a2a.xml --report json=a2a.json',
    ...credentials.flatMap(({ argument }) => argument ?? []),
  ].join(' ');

const github = (version: string, credentials: readonly Credential[]): string =>
  [
    'name: A2A conformance',
    'on: [push, pull_request]',
    'permissions:',
    '  contents: read',
    'jobs:',
    '  a2a-tck:',
    '    runs-on: ubuntu-latest',
    '    timeout-minutes: 15',
    '    steps:',
    `      - uses: ${actions.checkout}`,
    `      - uses: ${actions.node}`,
    '        with: { node-version: 22, package-manager-cache: false }',
    '      # Start your agent here, at the URL of a2a-tck.config.yaml.',
    // A block, since colons and quotes of the arguments have a meaning in YAML.
    '      - run: |',
    `          ${command(version, credentials)}`,
    ...(credentials.length === 0 ? [] : ['        env:']),
    ...credentials.map(({ variable }) => `          ${variable}: \${{ secrets.${variable} }}`),
    '      - if: always()',
    `        uses: ${actions.upload}`,
    '        with: { name: a2a-tck, path: a2a.* }',
    '',
  ].join('\n');

/** GitLab puts the variables of a project into the environment of its jobs, so none are set here. */
const gitlab = (version: string, credentials: readonly Credential[]): string =>
  [
    '# Take it into .gitlab-ci.yml:',
    '#   include:',
    '#     - local: a2a-tck.gitlab-ci.yml',
    ...credentials.map(({ variable }) => `# It needs the masked variable ${variable}, set for the project.`),
    'a2a-tck:',
    '  image: node:22',
    '  script:',
    '    # Start your agent here, at the URL of a2a-tck.config.yaml.',
    '    - |',
    `      ${command(version, credentials)}`,
    '  artifacts:',
    '    when: always',
    '    paths: [a2a.json]',
    '    reports: { junit: a2a.xml }',
    '',
  ].join('\n');

export const workflowText = (ci: Ci, version: string, credentials: readonly Credential[]): string =>
  ci === 'github' ? github(version, credentials) : gitlab(version, credentials);
