import { describe, expect, test } from 'vitest';
import { attempt, prepareCommands } from './hostile-commands.js';
import { hostileTargets } from './peers/hostile-targets.js';

// A harm of each kind with each command, in a short run; hostile.slow.test.ts has all.

prepareCommands();

describe.concurrent('hostile targets', () => {
  test.each([
    ['run', 'card-then-bomb'],
    ['fuzz', 'card-then-sse-one-line'],
    ['init', 'header-flood'],
    ['fleet', 'prototype-members'],
    ['verify', 'card-elsewhere'],
    ['report', 'runner-commands'],
    ['attest', 'card-script-url'],
    ['run', 'grpc-endless-data'],
    ['call send', 'grpc-continuation-flood'],
  ])('%s on %s', { timeout: 60_000 }, async (name, id) => {
    const target = hostileTargets.find((hostileTarget) => hostileTarget.id === id);
    if (target === undefined) throw new Error(`no target ${id}`);
    expect(await attempt(target, name, ['--suite', 'message', '--fuzz-runs', '2'])).toMatch(/^[0134], /);
  });
});
