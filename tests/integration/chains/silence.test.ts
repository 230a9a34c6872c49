/** A silent attempt is continued once in its own conversation; a second silence ends it. */

import { beforeEach, describe, expect, it } from 'vitest';
import { claimAttempt } from '@/lib/engine/claim';
import { getSession } from '@/lib/insight/sessions/get-session';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import {
  checked,
  claimNext,
  nextAttemptId,
  type Played,
  play,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { secondRunner } from '../conversations/support/second-runner';
import { command, refusalOf, startOne } from '../engine/support/running';

useTestDatabase();
let cast: Cast;
let chainId: string;
beforeEach(async () => {
  cast = await makeCast();
  chainId = await startOne(cast);
});

/** Stopped by the runner after its stall limit, in the middle of a request. */
const silent = (events: Played['events'] = []): Played => ({
  isSilent: true,
  events,
  contextTokens: 20_000,
  result: { stopCause: 'stalled', exit: { code: 0, signal: null } },
});

/** Tier 2, after tier 1 has handed up. */
async function tierTwo(): Promise<AttemptSpec> {
  await play(cast.runner, await claimNext(cast.runner), {
    report: wantsHelp(),
    events: [checked('web', 'down')],
  });
  return claimNext(cast.runner);
}

async function read() {
  const rows = await readChain(cast.alice, chainId);
  return {
    ...rows,
    codes: rows.events.map(({ code }) => code),
    starts: rows.decisions
      .filter(({ kind }) => kind === 'continuation')
      .map(({ verdict, reason }) => [verdict, reason]),
    ends: rows.decisions
      .filter(({ kind }) => kind === 'after_end')
      .map(({ verdict, reason }) => [verdict, reason]),
  };
}

describe('[ENG-5.5] a tier that goes silent with no call open', () => {
  it('is continued in its own conversation, says so, and can finish', async () => {
    const first = await claimNext(cast.runner);
    await play(cast.runner, first, silent(command('ls /etc')));
    const told = await read();
    expect(told.ends).toEqual([['continue', 'CONTINUE_ONCE']]);
    expect(told.events.find(({ code }) => code === 'STALLED')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('continued once in its own conversation'),
    });

    const again = await claimNext(cast.runner);
    expect(again.sessionId).toBe(first.sessionId);
    expect(again.start).toMatchObject({
      purpose: 'tier',
      tier: 1,
      tools: first.start.tools,
      allowedRules: first.start.allowedRules,
      continuation: { mode: 'resume', parentCliSessionId: first.start.cliSessionId },
    });
    expect(again.start.cliSessionId).not.toBe(first.start.cliSessionId);
    expect(again.start.prompt).toMatch(/^Continue where you left off/);
    await play(cast.runner, again, { report: {} });
    const after = await read();
    expect(after.starts.at(-1)).toEqual(['resume', 'OK_CONTINUE']);
    expect(after.codes).toContain('OK_CONTINUE');
    expect(after.chain.outcome).toBe('healthy');
    // How the session started is not how it continued.
    expect(after.sessions[0]?.mechanism).toBe('fresh');
    expect(after.attempts.map(({ purpose, end }) => [purpose, end])).toEqual([
      ['tier', 'stalled'],
      ['continue', 'completed'],
    ]);
  });

  it('and goes silent again, ends', async () => {
    await play(cast.runner, await claimNext(cast.runner), silent());
    await play(cast.runner, await claimNext(cast.runner), silent());
    const { chain, codes, ends, attempts } = await read();
    expect(ends).toEqual([
      ['continue', 'CONTINUE_ONCE'],
      ['end', 'CONTINUE_SPENT'],
    ]);
    expect(attempts).toHaveLength(2);
    expect(codes).toContain('CONTINUE_SPENT');
    expect(chain).toMatchObject({
      outcome: 'failed',
      statusText: expect.stringContaining('stalled again after it was continued once'),
    });
  });

  it('of tier 2 is continued after a change too, which stands in the conversation', async () => {
    const second = await tierTwo();
    await play(cast.runner, second, silent(command('systemctl restart web')));
    const again = await claimNext(cast.runner);
    expect(again.start).toMatchObject({
      tier: 2,
      purpose: 'tier',
      continuation: { mode: 'resume', parentCliSessionId: second.start.cliSessionId },
    });
    await play(cast.runner, again, { report: { resolved: true } });
    expect((await read()).chain.outcome).toBe('fixed');
  });

  it('of tier 2 that changed something and goes silent again is looked at, and ends', async () => {
    await play(cast.runner, await tierTwo(), silent(command('systemctl restart web')));
    await play(cast.runner, await claimNext(cast.runner), silent());
    const look = await claimNext(cast.runner);
    expect(look.start.purpose).toBe('reconcile');
    await play(cast.runner, look, { report: { resolved: false } });
    const { chain, ends } = await read();
    expect(ends.slice(0, 2)).toEqual([
      ['continue', 'CONTINUE_ONCE'],
      ['reconcile', 'CONTINUE_SPENT'],
    ]);
    expect(chain.outcome).toBe('needs_human');
  });

  it('shows the decision with what it compared', async () => {
    await play(cast.runner, await claimNext(cast.runner), silent(command('ls /etc')));
    const again = await claimNext(cast.runner);
    const session = await getSession(cast.alice, encodeId('ses', again.sessionId));
    expect(session.attempts.map(({ purpose }) => purpose)).toContain('continue');
    const guards = new Map(session.decision?.guards.map((guard) => [guard.id, guard]));
    expect(guards.get('G5')).toMatchObject({ state: 'passed', compared: { outstandingCalls: 0 } });
    expect(guards.get('G12')).toMatchObject({ state: 'passed', compared: { sameChain: true } });
    expect(guards.get('G13')).toMatchObject({ compared: { hasContinued: false } });
  });
});

describe('[ENG-5.5] is not continued', () => {
  it('where a call is open: nobody knows what it does', async () => {
    const open = command('systemctl restart web', { isRunning: true });
    await play(cast.runner, await tierTwo(), silent(open));
    expect((await read()).ends).toEqual([['reconcile', 'MAY_HAVE_CHANGED']]);
  });

  it('where its transcript was never seen: tier 1 starts again', async () => {
    const first = await claimNext(cast.runner);
    const played = silent();
    await play(cast.runner, first, {
      ...played,
      result: { ...played.result, transcriptSeen: false },
    });
    expect((await read()).ends).toEqual([['retry', 'RETRY_ONCE']]);
    expect((await claimNext(cast.runner)).start.continuation).toEqual({ mode: 'fresh' });
  });

  it.each([
    { what: 'where nothing changed', calls: command('ls /etc'), purpose: 'tier', mode: 'handoff' },
    {
      what: 'where something changed, it is looked at',
      calls: command('systemctl restart web'),
      purpose: 'reconcile',
      mode: 'handoff',
    },
  ])('on another host: the tier is retried $what', async ({ calls, purpose, mode }) => {
    await play(cast.runner, await tierTwo(), silent(calls));
    const other = await secondRunner(cast);
    const id = await nextAttemptId(other);
    expect(await refusalOf(claimAttempt(other, id))).toBe('not_this_runner');
    // The host was silent for the whole wait.
    await inTransaction(cast.alice, async (db) => {
      await db.attempt.updateMany({
        where: { id },
        data: { requiredRunnerId: null, waitUntil: new Date(0) },
      });
    });
    const spec = await claimAttempt(other, id);
    expect(spec.start).toMatchObject({ purpose, continuation: { mode } });
    const { starts, attempts } = await read();
    expect(starts).toContainEqual(['refuse', 'UNREACHABLE']);
    expect(attempts.at(-1)?.purpose).toBe(purpose);
  });

  it('by a call that was reported late: it is looked at first', async () => {
    const second = await tierTwo();
    await play(cast.runner, second, silent());
    await inTransaction(cast.alice, async (db) => {
      const [call] = command('systemctl restart web', { isRunning: true });
      await db.sessionEvent.create({
        data: {
          organizationId: cast.alice.organizationId,
          sessionId: second.sessionId,
          attemptId: second.attemptId,
          seq: 1_000,
          kind: 'tool_call',
          payload: JSON.parse(JSON.stringify(call)),
          isLate: true,
          at: new Date(),
        },
      });
    });
    expect((await claimNext(cast.runner)).start.purpose).toBe('reconcile');
  });
});
