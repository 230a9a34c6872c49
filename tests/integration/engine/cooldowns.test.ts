import { afterAll, describe, expect, it } from 'vitest';
import { waitForDirectives } from '@/lib/engine/directives';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { liveHub } from '@/lib/platform/live/hub';
import type { AttemptSpec, ServiceSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { answer, command, listenAsRunner, saveConfig, send, startOne } from './support/running';

useTestDatabase();
afterAll(() => liveHub().close());

/** Tier 2 runs; two restarts a service are allowed. */
async function tierTwoRuns(): Promise<{ cast: Cast; chainId: string; spec: AttemptSpec }> {
  const services = ['web', 'db'].map((target): ServiceSpec => {
    return { name: target, checks: [{ type: 'container', target, timeoutSeconds: 5 }] };
  });
  const cast = await makeCast({ services });
  const chainId = await startOne(cast);
  await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
  return { cast, chainId, spec: await claimNext(cast.runner) };
}

const counted = (cast: Cast) =>
  inTransaction(cast.alice, async (db) =>
    (await db.cooldownAction.findMany({ orderBy: { id: 'asc' } })).map(
      (row) => `${row.action} ${row.service}`,
    ),
  );

describe('a cooldown inside a run', () => {
  it('[HND-6.2] passing it stops the run at once and calls a human', async () => {
    const { cast, chainId, spec } = await tierTwoRuns();
    const listening = await listenAsRunner(cast.runner);
    const waiting = waitForDirectives(cast.runner, new AbortController().signal);
    const allowed = await send(cast.runner, spec, [
      ...command('docker restart web'),
      ...command('docker restart web'),
      ...command('docker restart db'),
    ]);
    expect(allowed.directives).toEqual([]);
    const passed = await send(cast.runner, spec, command('docker restart web'));
    const stop = { kind: 'stop', attemptId: spec.attemptId, reason: 'cooldown' };
    expect(passed.directives).toEqual([stop]);
    await listening.isWoken();
    expect((await waiting).directives).toEqual([stop]);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.attempts[1]).toMatchObject({ status: 'stopping', stopCause: 'cooldown' });
    const event = rows.events.find((each) => each.code === 'COOLDOWN');
    expect(event).toMatchObject({ level: 'critical', service: 'web', sessionId: spec.sessionId });
    expect(event?.message).toContain('web was restarted 3 times in the last 4h.');

    const { attempts } = rows;
    await play(cast.runner, spec, {
      isSilent: true,
      result: {
        stopCause: 'cooldown',
        exit: { code: null, signal: 'SIGINT' },
        lastSeq: attempts[1]?.ackedSeq ?? 0,
      },
    });
    const ended = await readChain(cast.alice, chainId);
    expect(ended.chain).toMatchObject({
      status: 'ended',
      outcome: 'needs_human',
      outcomeReason: 'COOLDOWN',
    });
    expect(ended.sessions[1]).toMatchObject({ status: 'stopped' });
    expect(ended.attempts).toHaveLength(2);
  });

  it('a command that was denied has not happened, whenever the denial comes', async () => {
    const { cast, spec } = await tierTwoRuns();
    await send(cast.runner, spec, command('docker restart web'));
    await send(cast.runner, spec, command('docker restart web', { denied: true }));
    await send(cast.runner, spec, command('docker restart web'));
    // The third one waits for its answer, so nobody knows yet whether it ran.
    const [call] = command('docker restart web', { isRunning: true });
    const meanwhile = command('docker logs web');
    const running = await send(cast.runner, spec, [...(call ? [call] : []), ...meanwhile]);
    expect(running.directives).toEqual([]);
    const toolUseId = call?.kind === 'tool_call' ? call.toolUseId : '';
    const denied = await send(cast.runner, spec, [answer(toolUseId, true)]);
    expect(denied.directives).toEqual([]);
    expect(await counted(cast)).toEqual(['restart web', 'restart web']);
  });

  it('goes by the rules that hold now', async () => {
    const { cast, spec } = await tierTwoRuns();
    await saveConfig(cast, { cooldowns: [{ action: 'restart', limit: 1, windowSeconds: 3_600 }] });
    const first = await send(cast.runner, spec, command('docker restart web'));
    expect(first.directives).toEqual([]);
    const second = await send(cast.runner, spec, command('docker restart web'));
    expect(second.directives).toMatchObject([{ reason: 'cooldown' }]);
  });

  it('is no reason to stop a run that did nothing of the kind itself', async () => {
    const { cast, spec } = await tierTwoRuns();
    await send(cast.runner, spec, [
      ...command('docker restart web'),
      ...command('docker restart web'),
    ]);
    await play(cast.runner, spec, { report: { ...wantsHelp(), resolved: false } });
    const third = await claimNext(cast.runner);
    await saveConfig(cast, { cooldowns: [{ action: 'restart', limit: 1, windowSeconds: 3_600 }] });
    const other = await send(cast.runner, third, command('docker logs web'));
    expect(other.directives).toEqual([]);
    const own = await send(cast.runner, third, command('docker restart web'));
    expect(own.directives).toMatchObject([{ reason: 'cooldown' }]);
  });
});

describe('what counts for a cooldown', () => {
  it('[HLD-3.2] is what was seen to run, once, and nothing that the agent only reports', async () => {
    const { cast, chainId, spec } = await tierTwoRuns();
    await send(cast.runner, spec, command('docker restart web'));
    await play(cast.runner, spec, {
      report: {
        resolved: true,
        actions_taken: [
          { service: 'web', action: 'restart', command: 'docker restart web', outcome: 'done' },
          { service: 'db', action: 'restart', command: 'manually', outcome: 'done' },
          { service: 'db', action: 'other', command: 'cleaned up', outcome: 'done' },
        ],
      },
    });
    expect(await counted(cast)).toEqual(['restart web']);
    const { sessions } = await readChain(cast.alice, chainId);
    expect(sessions[1]?.report).toMatchObject({ actions_taken: [{}, { service: 'db' }, {}] });
  });

  it('[HLD-3.2] leaves to tier 2 what tier 1 says it used up', async () => {
    const check = { type: 'container', target: 'web', timeoutSeconds: 5 } as const;
    const cast = await makeCast({ services: [{ name: 'web', checks: [check] }] });
    await startOne(cast);
    const restart = { service: 'web', action: 'restart', command: 'x', outcome: 'y' } as const;
    const report = { ...wantsHelp(), actions_taken: [restart, restart, restart] };
    await play(cast.runner, await claimNext(cast.runner), { report });
    const { start } = await claimNext(cast.runner);
    expect(start.tier).toBe(2);
    expect(start.allowedRules).toContain('Bash(docker restart web)');
    expect(start.systemPrompt).toContain('Nothing has been used so far.');
  });

  it('what is used up is left out of the next start, also across chains', async () => {
    const { cast, spec } = await tierTwoRuns();
    expect(spec.start.allowedRules).toContain('Bash(docker restart web)');
    await send(cast.runner, spec, [
      ...command('docker restart web'),
      ...command('docker restart web'),
    ]);
    await play(cast.runner, spec, { report: { resolved: true } });
    await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp(['db']) });
    const next = await claimNext(cast.runner);
    expect(next.start.allowedRules).toContain('Bash(docker restart db)');
    expect(next.start.allowedRules).not.toContain('Bash(docker restart web)');
  });

  it('[HND-6.2] with nothing left to do for the service the hop calls a human instead', async () => {
    const { cast, spec } = await tierTwoRuns();
    await send(cast.runner, spec, [
      ...command('docker restart web'),
      ...command('docker restart web'),
    ]);
    await play(cast.runner, spec, { report: { resolved: true } });
    const chainId = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp(['web']) });
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ outcome: 'needs_human', outcomeReason: 'COOLDOWN' });
    expect(rows.events.find((event) => event.code === 'COOLDOWN')).toMatchObject({
      sessionId: rows.sessions[0]?.id,
    });
  });
});
