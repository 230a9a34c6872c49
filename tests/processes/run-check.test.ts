/** The checks that look at processes and ask programs of the host. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCheck } from '@/lib/protocol/checks/run-check';
import { type CheckType, checkSchema } from '@/lib/protocol/spec';

const pathBefore = process.env.PATH;
let dir = '';

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'checks-'));
});

afterEach(async () => {
  process.env.PATH = pathBefore;
  await rm(dir, { recursive: true });
});

function check(type: CheckType, target: string) {
  return runCheck(checkSchema.parse({ type, target }), 'web');
}

/** A program of this name that answers as told; stands in for docker and systemctl. */
async function fakeProgram(name: string, stdout: string, stderr = '', code = 0) {
  const script = `#!/bin/sh\ncat <<'OUT'\n${stdout}\nOUT\nprintf '%s' '${stderr}' >&2\nexit ${code}\n`;
  await writeFile(path.join(dir, name), script);
  await chmod(path.join(dir, name), 0o755);
  process.env.PATH = `${dir}:${pathBefore}`;
}

describe('process', () => {
  it('finds a live process by pid file and by command line, and not after its end', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', `mark-${dir}`]);
    await once(child, 'spawn');
    const pidFile = path.join(dir, 'web.pid');
    await writeFile(pidFile, `${child.pid}\n`);
    expect(await check('process', pidFile)).toMatchObject({ status: 'healthy' });
    expect(await check('process', `mark-${dir}`)).toMatchObject({ status: 'healthy' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await check('process', pidFile)).toMatchObject({ status: 'down' });
    expect(await check('process', `mark-${dir}`)).toMatchObject({ status: 'down' });
    expect(await check('process', path.join(dir, 'none.pid'))).toMatchObject({ status: 'down' });
  });
});

describe('container and service', () => {
  it('reads the state of a container', async () => {
    await fakeProgram('docker', '{"Status":"running","Health":{"Status":"unhealthy"}}');
    expect(await check('container', 'web')).toMatchObject({
      status: 'down',
      error: 'The container’s health check is failing.',
    });
    await fakeProgram('docker', '', 'Error: No such container: web', 1);
    const missing = await check('container', 'web');
    expect(missing.error).toBe('Error: No such container: web');
    process.env.PATH = dir;
    await rm(path.join(dir, 'docker'));
    const without = await check('container', 'web');
    expect(without.error).toBe('There is no docker on this runner.');
  });

  it('reads the state of a unit', async () => {
    await fakeProgram('systemctl', 'active');
    expect(await check('service', 'nginx')).toMatchObject({ status: 'healthy' });
    await fakeProgram('systemctl', 'failed', '', 3);
    expect(await check('service', 'nginx')).toMatchObject({
      status: 'down',
      error: 'The unit is failed.',
    });
  });
});
