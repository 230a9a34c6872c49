/** Commands of confined agents that may change something, as the control plane decides about them. */
import { afterAll, describe, expect, it } from 'vitest';
import { authorizeCommand } from '@/lib/engine/commands/authorize';
import { getChainWork } from '@/lib/insight/chains/get-chain';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import type { CommandEvent, RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { checked, claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { secondRunner } from '../conversations/support/second-runner';
import { command, saveConfig, send, startOne } from './support/running';

useTestDatabase();
afterAll(() => liveHub().close());

/** Tier 2 runs; two restarts a service are allowed. */
async function tierTwoRuns(): Promise<{ cast: Cast; spec: AttemptSpec }> {
  const cast = await makeCast();
  await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
  return { cast, spec: await claimNext(cast.runner) };
}

function ask(cast: Cast, { attemptId, fence }: AttemptSpec, number: number, line: string) {
  return authorizeCommand(cast.runner, attemptId, {
    fence,
    number,
    argv: line.split(' '),
    approval: null,
  });
}

function brokered(
  number: number,
  phase: BrokeredEvent['phase'],
  end: BrokeredEvent['end'] = null,
): BrokeredEvent {
  const argv = ['docker', 'restart', 'web'];
  return { kind: 'brokered', phase, number, argv, rule: 'x', changes: true, refusal: null, end };
}

function countedCommands(cast: Cast): Promise<string[]> {
  return inTransaction(cast.alice, async (db) =>
    (await db.cooldownAction.findMany({ orderBy: { id: 'asc' } })).map(({ command: each }) => each),
  );
}

describe('a command that may change something', () => {
  it('[BND-2.5] is counted per service and action, across programs, before it runs', async () => {
    const { cast, spec } = await tierTwoRuns();
    expect(await ask(cast, spec, 1, 'docker restart web')).toEqual({ verdict: 'allowed' });
    expect(await ask(cast, spec, 2, 'kubectl rollout restart deployment/web')).toEqual({
      verdict: 'allowed',
    });
    for (const line of ['systemctl restart web', 'docker compose up -d web']) {
      expect(await ask(cast, spec, 3, line)).toMatchObject({
        verdict: 'refused',
        code: 'cooldown',
        message: expect.stringContaining('web was restarted twice in the last 4h.'),
      });
    }
    // Another service, and something that restarts nothing.
    expect(await ask(cast, spec, 4, 'docker restart db')).toEqual({ verdict: 'allowed' });
    expect(await ask(cast, spec, 5, 'gh pr create --fill')).toEqual({ verdict: 'allowed' });
    expect(await countedCommands(cast)).toEqual([
      'docker restart web',
      'kubectl rollout restart deployment/web',
      'docker restart db',
    ]);
  });

  it('[BND-2.5] the same request again counts once', async () => {
    const { cast, spec } = await tierTwoRuns();
    for (let time = 0; time < 3; time += 1) {
      expect(await ask(cast, spec, 1, 'docker restart web')).toEqual({ verdict: 'allowed' });
    }
    expect(await countedCommands(cast)).toEqual(['docker restart web']);
  });

  it('[BND-2.5] of many at once, no more than the limit are allowed', async () => {
    const { cast, spec } = await tierTwoRuns();
    await saveConfig(cast, { cooldowns: [{ action: 'restart', limit: 1, windowSeconds: 3_600 }] });
    const numbers = Array.from({ length: 8 }, (_, at) => at + 1);
    const answers = await Promise.all(
      numbers.map((number) => ask(cast, spec, number, 'docker restart web')),
    );
    const allowed = answers.filter((answer) => answer?.verdict === 'allowed');
    expect(allowed).toHaveLength(1);
    expect(await countedCommands(cast)).toHaveLength(1);
  });

  it('[BND-2.8] doesn’t run under another fence, without a lease, in a stopping attempt, or for another runner', async () => {
    const { cast, spec } = await tierTwoRuns();
    const argv = ['docker', 'restart', 'web'];
    const fenced = { verdict: 'refused', code: 'fenced' };
    const { attemptId, fence } = spec;
    expect(
      await authorizeCommand(cast.runner, attemptId, {
        fence: fence + 1,
        number: 1,
        argv,
        approval: null,
      }),
    ).toMatchObject(fenced);
    const later = new Date(Date.now() + 61_000);
    const own = { fence, number: 1, argv, approval: null };
    expect(await authorizeCommand(cast.runner, attemptId, own, later)).toMatchObject(fenced);
    expect(await authorizeCommand(await secondRunner(cast), attemptId, own)).toBeNull();
    const stranger = await makeCast();
    expect(await authorizeCommand(stranger.runner, attemptId, own)).toBeNull();
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ where: { id: attemptId }, data: { stopRequestedAt: new Date() } }),
    );
    expect(await authorizeCommand(cast.runner, attemptId, own)).toMatchObject({
      verdict: 'refused',
      code: 'stopping',
    });
    expect(await countedCommands(cast)).toEqual([]);
  });

  it('[BND-2.5] what a confined agent writes in its shell counts for nothing', async () => {
    const { cast, spec } = await tierTwoRuns();
    const started: CommandEvent = {
      kind: 'command',
      argv: ['claude'],
      env: {},
      prompt: '',
      systemPrompt: '',
      workDir: '/srv/work',
      configDir: '/srv/config',
      workDirInode: '1',
      cliVersion: '2.1.330',
      confinement: 'confined',
    };
    await send(cast.runner, spec, [started, ...command('docker restart web')]);
    expect(await countedCommands(cast)).toEqual([]);
  });

  it('[BND-2.8] that could not be ended is listed as one that may still run', async () => {
    const cast = await makeCast();
    const chainId = encodeId('chn', await startOne(cast));
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    const spec = await claimNext(cast.runner);
    const end = {
      exitCode: 3,
      signal: null,
      error: null,
      durationMs: 9,
      output: '',
      outputBytes: 0,
    };
    await send(cast.runner, spec, [
      brokered(1, 'started'),
      brokered(2, 'started'),
      brokered(3, 'started'),
      brokered(2, 'left_running', end),
      brokered(3, 'ended', end),
      brokered(1, 'left_running'),
    ]);
    const work = await getChainWork(cast.alice, chainId, [encodeId('ses', spec.sessionId)]);
    expect(work.actions).toMatchObject([
      { isLeftRunning: true, isDenied: false, exitCode: null, durationMs: null },
      { isLeftRunning: true, isDenied: false, exitCode: 3, durationMs: null },
      { isLeftRunning: false, isDenied: false, exitCode: 3, durationMs: expect.any(Number) },
    ]);
  });
});

describe('a change of a service that every check of the attempt found healthy', () => {
  const WEB = 'docker restart web';
  const measured = async (cast: Cast, spec: AttemptSpec, ...events: RunnerEvent[]) => {
    await send(cast.runner, spec, events);
    return ask(cast, spec, 1, WEB);
  };

  it('[HLD-3.4] waits for a person, counts for nothing before, and says why in the chain', async () => {
    const { cast, spec } = await tierTwoRuns();
    const answer = await measured(cast, spec, checked('web', 'down'), checked('web', 'healthy'));
    expect(answer).toEqual({ verdict: 'needs_approval' });
    expect(await countedCommands(cast)).toEqual([]);
    const notices = await inTransaction(cast.alice, (db) =>
      db.projectEvent.findMany({ where: { code: 'SERVICE_HEALTHY' } }),
    );
    expect(notices.map(({ message }) => message)).toEqual([
      'Every check of web passed in tier 2’s attempt, so a person decides about docker restart web.',
    ]);
    const approval = {
      ...{ rule: 'Bash(docker restart {service})', cwd: '/work', reason: '', files: [] },
      ...{ digest: 'a'.repeat(64), isWithdrawn: false },
    };
    const { attemptId, fence } = spec;
    const again = { fence, number: 1, argv: WEB.split(' '), approval };
    expect(await authorizeCommand(cast.runner, attemptId, again)).toMatchObject({
      verdict: 'waiting',
      isHeld: true,
    });
  });

  it.each<[string, RunnerEvent[]]>([
    ['no check was called', []],
    ['one failed since', [checked('web', 'healthy'), checked('web', 'down')]],
    ['one couldn’t be performed', [checked('web', 'unknown')]],
    ['another service is healthy', [checked('db', 'healthy')]],
  ])('[HLD-3.4] runs at once where %s', async (_, events) => {
    const { cast, spec } = await tierTwoRuns();
    expect(await measured(cast, spec, ...events)).toEqual({ verdict: 'allowed' });
  });

  it('[HLD-3.4] runs at once where one of the services that it restarts isn’t', async () => {
    const { cast, spec } = await tierTwoRuns();
    await send(cast.runner, spec, [checked('web', 'healthy'), checked('db', 'down')]);
    expect(await ask(cast, spec, 1, 'docker restart web db')).toEqual({ verdict: 'allowed' });
  });
});

describe('what was denied, on the chain page', () => {
  const brokered = (
    number: number,
    phase: BrokeredEvent['phase'],
    code: string | null = null,
  ): BrokeredEvent => ({
    kind: 'brokered',
    phase,
    number,
    argv: ['docker', 'restart', `web-${number}`],
    rule: null,
    changes: phase === 'started',
    refusal: code === null ? null : { code, message: 'It was not run.' },
    end: null,
  });

  it('[BND-4.5] has calls of the agent and commands of the broker, each once, and none that waits for a person', async () => {
    const { cast, spec } = await tierTwoRuns();
    await send(cast.runner, spec, [
      ...command('nomad status', { denied: true }),
      brokered(1, 'refused', 'no_rule'),
      // It was about to start.
      brokered(2, 'started'),
      brokered(2, 'refused', 'lease_lost'),
      brokered(3, 'refused', 'approval_pending'),
      brokered(4, 'started'),
    ]);
    const { chainId, sessionId } = await inTransaction(cast.alice, async (db) => {
      const session = await db.session.findFirstOrThrow({ where: { tier: 2 } });
      return { chainId: session.chainId ?? '', sessionId: session.id };
    });
    const ids = [encodeId('ses', sessionId)];
    const work = await getChainWork(cast.alice, encodeId('chn', chainId), ids);
    const commandsOf = (calls: typeof work.denied) => calls.map(({ input }) => input.command);
    expect(commandsOf(work.denied)).toEqual([
      'nomad status',
      'docker restart web-1',
      'docker restart web-2',
    ]);
    expect(commandsOf(work.actions)).toEqual(['docker restart web-4']);
  });
});
