/** Hosts that can and can't confine, made of an outer sandbox or of another program named bwrap. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confinementText } from '@/lib/fleet/confinement';
import { type Confinement, confinementSchema } from '@/lib/protocol/confinement';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { canConfine } from '../../support/confinement';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync('/var/tmp/tw-confinement-');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** @param outer a command line that the runner is started in */
function found(outer: readonly string[], searchPath = process.env.PATH ?? ''): Confinement {
  const [file = '', ...args] = [
    ...outer,
    process.execPath,
    path.join(checkout, 'node_modules/tsx/dist/cli.mjs'),
    path.join(import.meta.dirname, 'print-confinement.ts'),
    path.join(dir, 'runner'),
  ];
  const env = { ...process.env, PATH: searchPath };
  const printed = execFileSync(file, args, { cwd: checkout, env, encoding: 'utf8' });
  return confinementSchema.parse(JSON.parse(printed));
}

/** Puts a program named bwrap on a PATH of its own. */
function withProgram(script: string): string {
  writeFileSync(path.join(dir, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return dir;
}

describe('[BND-1.1] a runner finds out by trying', () => {
  it('that bubblewrap isn’t there', () => {
    expect(found([], dir)).toEqual({ state: 'none', cause: 'not_installed', detail: null });
  });

  it('that it is too old', () => {
    const PATH = withProgram('echo "bwrap: Unknown option --disable-userns" >&2; exit 1');
    expect(found([], PATH)).toMatchObject({ state: 'none', cause: 'too_old' });
  });

  it('that it starts the program without confining it', () => {
    const PATH = withProgram('while [ "$1" != -- ]; do shift; done; shift; exec "$@"');
    const confinement = found([], PATH);
    expect(confinement).toMatchObject({ state: 'none', cause: 'leaks' });
    expect(confinement.detail).toContain('runner/probe-');
    expect(confinement.detail).toContain('writable');
  });

  it('that it says nothing known', () => {
    const PATH = withProgram('echo "bwrap: no such luck" >&2; exit 1');
    expect(found([], PATH)).toEqual({
      state: 'none',
      cause: 'unknown',
      detail: 'bwrap: no such luck',
    });
  });

  it.skipIf(!canConfine)('that it confines', () => {
    expect(found([])).toEqual({ state: 'confined', cause: null, detail: null });
  });

  it.skipIf(!canConfine)(
    'that it confines where /proc is masked, with the process list visible',
    () => {
      const masked = ['--proc', '/proc', '--ro-bind', '/dev/null', '/proc/version'];
      const outer = ['bwrap', '--unshare-user', '--unshare-pid', '--dev-bind', '/', '/', ...masked];
      expect(found(outer)).toMatchObject({ state: 'process_list_visible', cause: 'proc_masked' });
    },
  );

  it.skipIf(!canConfine)('that no more user namespaces are allowed', () => {
    const outer = ['bwrap', '--unshare-user', '--disable-userns', '--dev-bind', '/', '/'];
    expect(found(outer)).toMatchObject({ state: 'none', cause: 'namespaces_exhausted' });
  });
});

it('[BND-1.1] every cause has a sentence and a fix', () => {
  for (const cause of confinementSchema.shape.cause.unwrap().options) {
    const { why, fix } = confinementText({ state: 'none', cause, detail: null });
    expect(why).toMatch(/\.$/);
    expect(fix).toMatch(/\.$/);
  }
});
