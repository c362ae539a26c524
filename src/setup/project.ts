/** How the agent of a folder is built and started, as far as its files say. */
export interface Project {
  /** For people: `a Go module`. */
  readonly about: string;
  /** Commands for a POSIX shell; empty: nothing is built. */
  readonly build: readonly string[];
  /** A command that goes on until it is ended. */
  readonly start: string;
  /** The image of GitLab in which they run, and what is installed in it: both have Node for the kit. */
  readonly image: string;
  readonly install: readonly string[];
}

/** The text of a file of the folder; undefined: there is none. */
export type ReadFile = (name: string) => string | undefined;

const debian = (packages: string): readonly string[] => [
  'apt-get update',
  `apt-get install --yes --no-install-recommends ${packages}`,
];

/** An image of a language, with Node from Debian 13, which is new enough for the kit. */
const withNode = (image: string) => ({ image: `${image}-trixie`, install: debian('nodejs npm') });
const nodeImage = 'node:22-bookworm';

/** The jar that Maven or Gradle makes in `folder`. */
const jarIn = (folder: string, build: string): string =>
  build.includes('quarkus') ? `java -jar ${folder}/quarkus-app/quarkus-run.jar` : `java -jar ${folder}/*.jar`;

function gradle(build: string, read: ReadFile): Project {
  const program = read('gradlew') === undefined ? 'gradle' : './gradlew';
  const isBoot = build.includes('org.springframework.boot');
  return {
    about: 'a Gradle project',
    build: [`${program} ${isBoot ? 'bootJar' : 'build -x test'}`],
    start: isBoot ? `${program} bootRun` : build.includes('quarkus') ? jarIn('build', build) : `${program} run`,
    image: nodeImage,
    install: debian('openjdk-17-jdk-headless'),
  };
}

/** The first command of a Python project, or its package. */
function pythonStart(text: string): string {
  const script = /^\[project\.scripts\]\s*\n\s*"?([\w.-]+)"?\s*=/m.exec(text)?.[1];
  if (script !== undefined) return `.venv/bin/${script}`;
  const name = /^\[project\][^[]*?^name\s*=\s*["']([\w.-]+)["']/m.exec(text)?.[1] ?? 'agent';
  return `.venv/bin/python -m ${name.replaceAll(/[-.]/g, '_')}`;
}

/** Files that say of what kind a project is, the surest first: many projects have a package.json for their tools. */
const kinds: readonly (readonly [file: string, project: (text: string, read: ReadFile) => Project])[] = [
  [
    'go.mod',
    () => ({ about: 'a Go module', build: ['go build -o agent .'], start: './agent', ...withNode('golang:1') }),
  ],
  [
    'Cargo.toml',
    () => ({
      about: 'a Rust package',
      build: ['cargo build --release'],
      start: 'cargo run --release',
      ...withNode('rust:1'),
    }),
  ],
  [
    'pom.xml',
    (text) => ({
      about: 'a Maven project',
      build: ['mvn -q -B package -DskipTests'],
      start: jarIn('target', text),
      image: nodeImage,
      install: debian('openjdk-17-jdk-headless maven'),
    }),
  ],
  ['build.gradle', gradle],
  ['build.gradle.kts', gradle],
  [
    'pyproject.toml',
    (text) => ({
      about: 'a Python project',
      build: ['python3 -m venv .venv', '.venv/bin/pip install .'],
      start: pythonStart(text),
      image: nodeImage,
      install: debian('python3-venv'),
    }),
  ],
  [
    'package.json',
    (_, read) => ({
      about: 'a Node package',
      build: [read('package-lock.json') === undefined ? 'npm install' : 'npm ci', 'npm run build --if-present'],
      start: 'npm start',
      image: nodeImage,
      install: [],
    }),
  ],
];

/** What kind of project a folder holds; undefined: none that the kit knows. */
export function projectOf(read: ReadFile): Project | undefined {
  for (const [file, project] of kinds) {
    const text = read(file);
    if (text !== undefined) return project(text, read);
  }
  return undefined;
}
