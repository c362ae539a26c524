import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { main } from './child.js';

// The workflow that `init` writes for a project of each language: its steps run one after the other, as CI runs them. The
// agent of each project is a program of that language that starts the reference agent. Skipped where a toolchain is missing.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-init-projects-'));
const minutes = (count: number): number => count * 60_000;
const running: ChildProcess[] = [];
afterAll(() => {
  for (const { pid } of running) {
    try {
      if (pid !== undefined) process.kill(-pid);
    } catch {
      // It has ended.
    }
  }
  rmSync(folder, { recursive: true, force: true });
}, minutes(1));

/** In place of the registry: the kit of the last build. */
const shims = join(folder, 'shims');
mkdirSync(shims);
writeFileSync(join(shims, 'npx'), `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

interface Step {
  readonly name?: string;
  readonly run?: string;
}

/** A step as GitHub runs it. What it leaves in the background goes on. */
async function play({ run: script = '' }: Step, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, said };
}

const go = `package main

import (
	"os"
	"os/exec"
)

func main() {
	agent := exec.Command(os.Getenv("NODE"), os.Getenv("KIT"), "serve", "--port", os.Getenv("PORT"), "--profile", "a2a-1.0")
	if err := agent.Run(); err != nil {
		os.Exit(1)
	}
}
`;
const rust = `fn main() {
    let of = |name: &str| std::env::var(name).unwrap();
    let words = [of("KIT"), "serve".into(), "--port".into(), of("PORT"), "--profile".into(), "a2a-1.0".into()];
    std::process::Command::new(of("NODE")).args(words).status().unwrap();
}
`;
const java = `public class Agent {
    public static void main(String[] none) throws Exception {
        new ProcessBuilder(System.getenv("NODE"), System.getenv("KIT"), "serve", "--port", System.getenv("PORT"),
                "--profile", "a2a-1.0").inheritIO().start().waitFor();
    }
}
`;
const python = `import os

def main():
    node, kit, port = (os.environ[name] for name in ("NODE", "KIT", "PORT"))
    os.execv(node, [node, kit, "serve", "--port", port, "--profile", "a2a-1.0"])
`;
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>test</groupId><artifactId>agent</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <build><plugins>
    <plugin>
      <groupId>org.apache.maven.plugins</groupId><artifactId>maven-jar-plugin</artifactId>
      <configuration><archive><manifest><mainClass>Agent</mainClass></manifest></archive></configuration>
    </plugin>
  </plugins></build>
</project>
`;
const pyproject = '[project]\nname = "my-agent"\nversion = "1"\n\n[project.scripts]\nmy-agent = "my_agent:main"\n';
const serve = 'exec "$NODE" "$KIT" serve --port "$PORT" --profile a2a-1.0';

test.for<[string, string, Readonly<Record<string, string>>]>([
  ['Go', 'go version', { 'go.mod': 'module agent\n', 'main.go': go }],
  ['Rust', 'cargo --version', { 'Cargo.toml': '[package]\nname = "agent"\nedition = "2021"\n', 'src/main.rs': rust }],
  ['Java', 'mvn --version', { 'pom.xml': pom, 'src/main/java/Agent.java': java }],
  ['Python', 'python3 --version', { 'pyproject.toml': pyproject, 'my_agent.py': python }],
  ['Node', 'npm --version', { 'package.json': JSON.stringify({ name: 'agent', scripts: { start: serve } }) }],
])('a project of %s', { timeout: minutes(5) }, async ([language, ask, files], { skip }) => {
  const [program = '', word = ''] = ask.split(' ');
  if (
    !(await run(program, [word]).then(
      () => true,
      () => false,
    ))
  )
    skip(`${program} is missing`);
  const cwd = join(folder, language);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  await run(process.execPath, [main, 'init'], { cwd });
  const port = String(await freePort());
  const config = join(cwd, 'a2a-tck.config.yaml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('http://localhost:4000', `http://127.0.0.1:${port}`));
  const workflow = parse(readFileSync(join(cwd, '.github/workflows/a2a-tck.yml'), 'utf8')) as {
    readonly jobs: { readonly 'a2a-tck': { readonly steps: readonly Step[] } };
  };
  const env = {
    ...process.env,
    PATH: `${shims}:${process.env['PATH']}`,
    CI: 'true',
    GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
    NODE: process.execPath,
    KIT: main,
    PORT: port,
  };
  for (const step of workflow.jobs['a2a-tck'].steps.filter((step) => step.run !== undefined)) {
    expect(await play(step, cwd, env), step.name).toMatchObject({ code: 0 });
  }
  expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toContain('Reference Agent');
  for (const name of ['a2a.html', 'a2a.xml', 'a2a.json', 'agent.log']) expect(existsSync(join(cwd, name))).toBe(true);
});
