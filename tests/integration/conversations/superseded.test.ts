/** Which conversations a runner may forget: none that a start could still continue. */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { askTurn, editTurn } from '@/lib/conversations/turns';
import { startChain } from '@/lib/engine/chains/start-chain';
import { findSuperseded } from '@/lib/engine/superseded';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { answerNext, carried, talk } from './support/asking';
import { secondRunner } from './support/second-runner';

useTestDatabase();
let cast: Cast;
beforeEach(async () => {
  cast = await makeCast();
});

/** Of these starts, the numbers (from 1) of those that may be forgotten. */
async function forgotten(starts: readonly AttemptSpec[], now = new Date()): Promise<number[]> {
  const cliSessionIds = starts.map(({ start }) => start.cliSessionId);
  const { superseded } = await findSuperseded(cast.runner, { cliSessionIds }, now);
  return cliSessionIds.flatMap((id, index) => (superseded.includes(id) ? [index + 1] : []));
}

describe('of a conversation', () => {
  it('only what its last turn left is kept', async () => {
    const { first, ask } = await talk(cast);
    expect(await forgotten([first])).toEqual([]);
    const starts = [first, await ask('And db?'), await ask('And mail?')];
    expect(await forgotten(starts)).toEqual([1, 2]);
  });

  it('what a turn that runs continues is kept until its end: it may be forked once more', async () => {
    const { id, first, lastTurn } = await talk(cast);
    await askTurn(cast.alice, id, { message: 'And db?', forceFresh: false });
    expect(await forgotten([first])).toEqual([]);
    const lost = await claimNext(cast.runner);
    expect(await forgotten([first, lost])).toEqual([]);
    await play(cast.runner, lost, { isSilent: true, result: { exit: null } });
    expect(await forgotten([first, lost])).toEqual([2]);
    const again = await answerNext(cast.runner, 'db is well');
    expect(carried(again)).toBe('resume');
    expect((await lastTurn()).status).toBe('completed');
    expect(await forgotten([first, lost, again])).toEqual([1, 2]);
  });

  it('an edit continues nothing that was forgotten', async () => {
    const { id, first, ask, turns } = await talk(cast);
    const second = await ask('And db?');
    expect(await forgotten([first, second])).toEqual([1]);
    const [, secondTurn] = await turns();
    const message = 'And the database?';
    await editTurn(cast.alice, id, secondTurn?.id ?? '', { message, forceFresh: false });
    const edited = await answerNext(cast.runner, 'db is well');
    expect(carried(edited)).toBe('transcript');
    expect(await forgotten([first, second, edited])).toEqual([1, 2]);
    expect(carried(await ask('And mail?'))).toBe('resume');
  });

  it('nothing is kept beyond the time for which it can be continued', async () => {
    const { first } = await talk(cast);
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    expect(await forgotten([first], later(71))).toEqual([]);
    expect(await forgotten([first], later(73))).toEqual([1]);
  });
});

it('of a chain what its last session left is kept, since one may ask about it', async () => {
  await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' });
  const one = await claimNext(cast.runner);
  await play(cast.runner, one, { report: wantsHelp() });
  const two = await claimNext(cast.runner);
  expect(await forgotten([one, two])).toEqual([]);
  await play(cast.runner, two, { report: { resolved: true } });
  expect(await forgotten([one, two])).toEqual([1]);
});

it('what it does not know is not for it to say, nor what is of another runner', async () => {
  const { first, ask } = await talk(cast);
  await ask('And db?');
  const unknown = randomUUID();
  const cliSessionIds = [first.start.cliSessionId, unknown];
  expect(await findSuperseded(cast.runner, { cliSessionIds })).toEqual({
    superseded: [first.start.cliSessionId],
  });
  const other = await secondRunner(cast);
  expect(await findSuperseded(other, { cliSessionIds })).toEqual({ superseded: [] });
});
