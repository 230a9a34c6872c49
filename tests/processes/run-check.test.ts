/** The checks that look at processes and ask programs of the host. */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NO_TARGETS } from '@/lib/commands/service-values';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { probeCommand } from '@/lib/protocol/checks/command/probe';
import type { CheckFacts, CheckType } from '@/lib/protocol/checks/kinds';
import { runCheck } from '@/lib/protocol/checks/run-check';
import { checkSchema } from '@/lib/protocol/spec';
import {
  type CheckHost,
  createCheckCommands,
  endLeftCommands,
  runInEmptyFolder,
} from '@/workers/runner/checks/check-commands';
import { listProcesses } from '@/workers/runner/process/process-table';

const pathBefore = process.env.PATH;
/** Every process of the host is looked at, which takes a while on a busy one. */
const GONE = { timeout: 60_000 };
let dir = '';

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'checks-'));
});

afterEach(async () => {
  process.env.PATH = pathBefore;
  await rm(dir, { recursive: true });
});

const HOST: CheckHost = {
  ...{ instanceId: randomUUID(), place: null },
  redactor: () => createRedactor({ secrets: [] }),
};

function check(type: CheckType, target: string, more: object = {}, before?: CheckFacts) {
  const spec = checkSchema.parse({ type, target, ...more });
  return runCheck(spec, 'web', before, (_check, argv, signal) =>
    runInEmptyFolder(HOST, argv, signal),
  );
}

function isRunning(pid: number): boolean {
  return listProcesses().some((one) => one.pid === pid && !one.isZombie);
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

it('[INC-1.1] reports since when a process runs, so that a restart is noticed', async () => {
  const start = async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', `mark-${dir}`]);
    await once(child, 'spawn');
    return child;
  };
  const first = await start();
  const before = await check('process', `mark-${dir}`);
  expect(before).toMatchObject({ status: 'healthy', error: '' });
  const startedAt = Date.parse(before.facts?.startedAt ?? '');
  expect(Math.abs(Date.now() - startedAt)).toBeLessThan(60_000);
  expect(await check('process', `mark-${dir}`, {}, before.facts)).toMatchObject({
    status: 'healthy',
  });
  first.kill('SIGKILL');
  await once(first, 'exit');
  const second = await start();
  expect(await check('process', `mark-${dir}`, {}, before.facts)).toMatchObject({
    status: 'degraded',
    error: expect.stringMatching(/^Restarted since the last check, at /),
  });
  second.kill('SIGKILL');
  await once(second, 'exit');
});

describe('[INC-1.1] container and systemd unit', () => {
  const inspected = (State: object, RestartCount = 0) =>
    JSON.stringify({ Id: 'c0ffee', RestartCount, State });

  it('reads the state of a container', async () => {
    await fakeProgram('docker', inspected({ Status: 'running', Health: { Status: 'unhealthy' } }));
    expect(await check('container', 'web')).toMatchObject({
      status: 'down',
      error: 'The container’s health check is failing.',
      facts: { state: 'running (unhealthy)' },
    });
    await fakeProgram('docker', '', 'Error: No such container: web', 1);
    expect(await check('container', 'web')).toMatchObject({
      status: 'down',
      error: 'Error: No such container: web',
    });
  });

  it('notices a container that restarted, though it runs at every look', async () => {
    await fakeProgram('docker', inspected({ Status: 'running', StartedAt: 'a' }, 1));
    const { facts } = await check('container', 'web');
    await fakeProgram('docker', inspected({ Status: 'running', StartedAt: 'b' }, 3));
    expect(await check('container', 'web', {}, facts)).toMatchObject({
      status: 'degraded',
      error: 'Restarted automatically since the last check (2 times).',
    });
  });

  it('is unknown without docker, without permission and without an answer', async () => {
    await fakeProgram('docker', '', 'permission denied while trying to connect', 1);
    expect(await check('container', 'web')).toMatchObject({
      status: 'unknown',
      error: 'permission denied while trying to connect',
      responseTimeMs: null,
    });
    await fakeProgram('docker', 'no json');
    expect(await check('container', 'web')).toMatchObject({ status: 'unknown' });
    await fakeProgram('docker', '');
    await writeFile(path.join(dir, 'docker'), '#!/bin/sh\nexec sleep 60\n');
    expect(await check('container', 'web', { timeoutSeconds: 1 })).toMatchObject({
      status: 'unknown',
      error: 'Docker did not respond in time.',
    });
    process.env.PATH = dir;
    await rm(path.join(dir, 'docker'));
    expect(await check('container', 'web')).toMatchObject({
      status: 'unknown',
      error: 'There is no docker on this runner.',
    });
  });

  it('reads the state of a unit by name, in whatever order and number', async () => {
    await fakeProgram(
      'systemctl',
      'SubState=running\nActiveState=active\nInvocationID=1\nNRestarts=0',
    );
    const { facts, status } = await check('service', 'nginx');
    expect([status, facts]).toEqual([
      'healthy',
      { state: 'active (running)', restarts: 0, instance: '1' },
    ]);
    await fakeProgram('systemctl', 'ActiveState=active\nInvocationID=2');
    expect(await check('service', 'nginx', {}, facts)).toMatchObject({
      status: 'degraded',
      error: 'Restarted since the last check.',
    });
    await fakeProgram('systemctl', 'LoadState=not-found\nActiveState=inactive');
    expect(await check('service', 'nginx')).toMatchObject({
      status: 'down',
      error: 'There is no unit nginx.',
    });
  });

  it('is unknown on a host that systemd did not boot', async () => {
    const said = 'System has not been booted with systemd as init system (PID 1).';
    await fakeProgram('systemctl', '', said, 1);
    expect(await check('service', 'nginx')).toMatchObject({ status: 'unknown', error: said });
  });
});

describe('[INC-1.1] a command', () => {
  const node = (code: string) => `node -e '${code}'`;

  it('is judged by its exit code, and shows the beginning of its output', async () => {
    expect(await check('command', 'true')).toMatchObject({
      status: 'healthy',
      facts: { exitCode: 0 },
    });
    const failing = node('console.error("disk full"); process.exit(2)');
    expect(await check('command', failing)).toMatchObject({
      status: 'down',
      error: 'Exit code 2, expected 0: disk full',
      facts: { exitCode: 2, output: 'disk full\n' },
    });
    expect(await check('command', failing, { exitCodes: [0, 2] })).toMatchObject({
      status: 'healthy',
    });
    expect(await check('command', failing, { exitCodes: [2], expectText: 'ok' })).toMatchObject({
      status: 'degraded',
      error: 'The output does not contain "ok".',
    });
  });

  it('runs without a shell, without input, in an empty folder of its own', async () => {
    process.env.TIERWATCH_RUNNER_KEY = 'not-for-commands';
    const code =
      'process.stdin.on("end", () => console.log(JSON.stringify([process.argv.slice(1), process.cwd(), fs.readdirSync("."), Object.keys(process.env).sort()]))).resume()';
    const { facts } = await check('command', `${node(code)} '$HOME' "a; b"`);
    delete process.env.TIERWATCH_RUNNER_KEY;
    const [argv, cwd, files, names] = JSON.parse(facts?.output ?? '[]');
    expect(argv).toEqual(['$HOME', 'a; b']);
    expect(files).toEqual([]);
    expect(names).toEqual(['HOME', 'LC_ALL', 'PATH', 'TIERWATCH_ATTEMPT', 'TMPDIR']);
    expect(path.basename(cwd)).toMatch(/^tierwatch-check-/);
    await expect(access(cwd)).rejects.toThrow();
  });

  it('ends at its deadline with everything that it has started', async () => {
    const code =
      'require("child_process").spawn("sleep", ["602", "0"], { stdio: "inherit" }); setInterval(() => {}, 1000)';
    const outcome = await check('command', node(code), { timeoutSeconds: 1 });
    expect(outcome).toMatchObject({
      status: 'down',
      error: 'The command did not end within 1 s.',
      responseTimeMs: null,
    });
    await vi.waitFor(async () => {
      expect(await check('process', 'sleep 602 0')).toMatchObject({ status: 'down' });
    }, GONE);
  });

  it('ends at once if its time was up before it began', async () => {
    const late = {
      signal: AbortSignal.abort(),
      whenTimeIsUp() {},
      runCommand: (_check: unknown, argv: readonly string[], signal: AbortSignal) =>
        runInEmptyFolder(HOST, argv, signal),
    };
    const spec = checkSchema.parse({ type: 'command', target: 'sleep 603' });
    expect(await probeCommand(spec, late)).toMatchObject({
      status: 'unknown',
      error: 'The runner could not start sleep (its time was up).',
    });
  });

  const TIER_1 = {
    ...{ allowed: ['Bash(df:*)', 'Bash(docker ps:*)'], denied: ['Bash(docker ps:*)'] },
    ...{
      askFirst: ['Bash(df -i:*)'],
      secrets: [],
      values: { targets: NO_TARGETS, service: [], host: [], url: [] },
    },
  };
  it.each([
    ['df -P /', {}, TIER_1, 'healthy', ''],
    ['df -P /', {}, null, 'healthy', ''],
    ['ss -tln', {}, TIER_1, 'unknown', 'tier 1’s rules don’t allow it.'],
    ['docker ps', {}, TIER_1, 'unknown', 'tier 1’s rule Bash(docker ps:*) denies it.'],
    ['docker ps', { isAllowedByOwner: true }, TIER_1, 'unknown', 'denies it.'],
    ['df -i /', {}, TIER_1, 'unknown', 'asks a person first, and a check can’t wait for one.'],
    ['touch CANARY', {}, TIER_1, 'unknown', 'touch is not in the catalog'],
    ['touch CANARY', {}, null, 'unknown', 'touch is not in the catalog'],
    ['touch CANARY', { isAllowedByOwner: true }, TIER_1, 'healthy', ''],
  ])('%s with %j runs as tier 1’s rules say', async (target, more, policy, status, error) => {
    const canary = path.join(dir, 'canary');
    const spec = checkSchema.parse({
      ...{ type: 'command', target: target.replace('CANARY', canary), timeoutSeconds: 30, ...more },
    });
    const outcome = await runCheck(spec, 'web', null, createCheckCommands(HOST).of(policy));
    expect([outcome.status, outcome.error]).toEqual([status, expect.stringContaining(error)]);
    const hasRun = await access(canary).then(
      () => true,
      () => false,
    );
    expect(hasRun).toBe(target.startsWith('touch') && status === 'healthy');
  });

  it('doesn’t run where nobody decides about it', async () => {
    const canary = path.join(dir, 'canary');
    const spec = checkSchema.parse({
      ...{ type: 'command', target: `touch ${canary}`, isAllowedByOwner: true },
    });
    expect((await runCheck(spec, 'web')).status).toBe('unknown');
    await expect(access(canary)).rejects.toThrow();
  });

  it('does not wait for what it leaves behind', async () => {
    const code =
      'require("child_process").spawn("sleep", ["601"], { stdio: "inherit" }).unref(); process.exit(0)';
    expect(await check('command', node(code))).toMatchObject({ status: 'healthy' });
    await vi.waitFor(async () => {
      expect(await check('process', 'sleep 601')).toMatchObject({ status: 'down' });
    }, GONE);
  });

  /** Writes a program that ends once a process runs whose parents and session are others’. */
  async function daemonizing(output: string) {
    const [program, pidFile] = [path.join(dir, 'daemonize'), path.join(dir, 'pid')];
    const daemon = `echo \\$\\$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 611`;
    const script = `setsid sh -c 'setsid sh -c "${daemon}" ${output} & exit 0'\nuntil [ -e ${pidFile} ]; do sleep 0.01; done\n`;
    await writeFile(program, script);
    let found = 0;
    const pid = async () => {
      found = Number(await readFile(pidFile, 'utf8'));
      return found;
    };
    onTestFinished(() => {
      if (isRunning(found)) process.kill(found, 'SIGKILL');
    });
    return { target: `sh ${program}`, pid };
  }

  it.each([
    ['that has closed its output', '< /dev/null > /dev/null 2>&1'],
    ['that holds its output open', ''],
  ])('ends a daemon %s, and is healthy at once', async (_what, output) => {
    const { target, pid } = await daemonizing(output);
    const found = await check('command', target, { timeoutSeconds: 60 });
    expect(found).toMatchObject({ status: 'healthy' });
    expect(isRunning(await pid())).toBe(false);
  });

  it('ends a daemon when its time is up', async () => {
    const { target, pid } = await daemonizing('');
    const found = await check('command', `sh -c "${target}; sleep 614"`, { timeoutSeconds: 5 });
    expect(found).toMatchObject({ status: 'down' });
    await vi.waitFor(async () => expect(isRunning(await pid())).toBe(false), GONE);
  });

  it('ends with its runner', async () => {
    const commands = createCheckCommands(HOST);
    const pidFile = path.join(dir, 'sleeper');
    const spec = checkSchema.parse({
      type: 'command',
      target: `sh -c "echo $$ > ${pidFile}; exec sleep 615"`,
      isAllowedByOwner: true,
    });
    const sleeper = async () => Number(await readFile(pidFile, 'utf8'));
    const outcome = runCheck({ ...spec, timeoutSeconds: 60 }, 'web', null, commands.of(null));
    await vi.waitFor(async () => expect(isRunning(await sleeper())).toBe(true), GONE);
    await commands.close();
    expect(await outcome).toMatchObject({ status: 'unknown' });
    expect(isRunning(await sleeper())).toBe(false);
  });

  it('is ended by the next process of its runner if that was killed, and not by another runner', async () => {
    const [own, other] = [randomUUID(), randomUUID()].map((id) => {
      const env = { ...process.env, TIERWATCH_ATTEMPT: `check-${id}.${randomUUID()}` };
      const child = spawn('sleep', ['616'], { env, stdio: 'ignore', detached: true });
      onTestFinished(() => void child.kill('SIGKILL'));
      return { id, child, exited: once(child, 'exit') };
    });
    if (!own || !other) throw new Error('Both have to run.');
    await Promise.all([own, other].map(({ child }) => once(child, 'spawn')));
    await endLeftCommands(own.id);
    expect(await own.exited).toEqual([null, 'SIGKILL']);
    expect(isRunning(other.child.pid ?? 0)).toBe(true);
  });

  it('shows no secret of the host, also not in the sentence about its failure', async () => {
    const host = { ...HOST, redactor: () => createRedactor({ secrets: ['canary-word-8812'] }) };
    const failing = node('console.error("refused canary-word-8812"); process.exit(2)');
    const spec = checkSchema.parse({ type: 'command', target: failing, timeoutSeconds: 30 });
    const outcome = await runCheck(spec, 'web', null, (_check, argv, signal) =>
      runInEmptyFolder(host, argv, signal),
    );
    expect(outcome).toMatchObject({
      error: 'Exit code 2, expected 0: refused [redacted: project secret]',
      facts: { output: 'refused [redacted: project secret]\n' },
    });
  });

  it('is unknown where it can’t run, prints too much or is ended from outside', async () => {
    expect(await check('command', 'no-such-program-here')).toMatchObject({
      status: 'unknown',
      error: 'There is no no-such-program-here on this runner.',
    });
    expect(await check('command', 'true | false')).toMatchObject({ status: 'unknown' });
    const flood = node(
      'const c = "x".repeat(65536); const w = () => process.stdout.write(c, w); w()',
    );
    expect(await check('command', flood, { timeoutSeconds: 30 })).toMatchObject({
      status: 'unknown',
      error: 'node printed more than 1000000 bytes and was ended.',
    });
    expect(await check('command', node('process.kill(process.pid, "SIGKILL")'))).toMatchObject({
      status: 'unknown',
      error: 'node was ended by SIGKILL.',
    });
  });
});
