/** A denied version of Claude Code starts nothing, and whatever waits says so. */

import { beforeEach, describe, expect, it } from 'vitest';
import { askTurn } from '@/lib/conversations/turns';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat } from '@/lib/engine/directives';
import { explainWaits } from '@/lib/engine/sweep/sweep';
import { getRunner } from '@/lib/fleet/manage-runners';
import { runnerQueue } from '@/lib/fleet/queues';
import { changeOrganization } from '@/lib/identity/organizations/service';
import { getSession } from '@/lib/insight/sessions/get-session';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { Capabilities } from '@/lib/protocol/schema';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, nextAttemptId, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { answerNext, carried, talk } from '../conversations/support/asking';
import { secondRunner } from '../conversations/support/second-runner';
import { listEnqueued } from './support/enqueued';
import { refusalOf, startOne } from './support/running';

const database = useTestDatabase();
let cast: Cast;
beforeEach(async () => {
  cast = await makeCast();
});

const deny = (...deniedCliVersions: string[]) =>
  changeOrganization(cast.alice, { deniedCliVersions });

/** With another version of Claude Code than the cast's runner has. */
const NEWER: Capabilities = {
  ...TEST_CAPABILITIES,
  harnesses: TEST_CAPABILITIES.harnesses.map((each) =>
    each.name === 'claude' ? { ...each, version: '2.1.330', fingerprint: 'f2' } : each,
  ),
};
const beats = (runner: TenantScope, capabilities: Capabilities) =>
  recordHeartbeat(runner, { protocol: 1, capabilities, running: [] });

const SENTENCE =
  "Not started yet: runner-1 has Claude Code 2.1.197, which this organization denies (<2.1.198). Install another version of Claude Code there, connect another runner to pool default, or change the list in the organization's settings.";

async function decisionsOf(chainId: string) {
  const { decisions } = await readChain(cast.alice, chainId);
  return decisions.map(({ verdict, reason }) => [verdict, reason]);
}

describe('[ENG-2.7] a tier', () => {
  it('does not start under a version that the organization denies, and says why', async () => {
    await deny('<2.1.198');
    const chainId = await startOne(cast);
    for (const _ of [1, 2]) expect(await refusalOf(claimNext(cast.runner))).toBe('cli_denied');
    const { chain, sessions, events } = await readChain(cast.alice, chainId);
    expect(chain).toMatchObject({
      status: 'waiting',
      statusText: SENTENCE,
      waitReason: 'version',
    });
    expect(sessions).toMatchObject([
      { status: 'waiting', statusText: SENTENCE, waitReason: 'version' },
    ]);
    // Recorded once, however often the runner asks.
    expect(await decisionsOf(chainId)).toEqual([['wait', 'CLI_DENYLISTED']]);
    expect(events.filter(({ code }) => code === 'CLI_DENYLISTED')).toMatchObject([
      { level: 'warning', message: SENTENCE },
    ]);
    const session = await getSession(cast.alice, encodeId('ses', sessions[0]?.id ?? ''));
    expect(session.decisions[0]?.guards.find(({ state }) => state === 'stopped')).toMatchObject({
      id: 'G23',
      compared: {
        cliVersion: '2.1.197',
        deniedByInstallation: 'none',
        deniedByOrganization: '<2.1.198',
      },
    });
  });

  it('starts once the list allows it, or once another version is installed', async () => {
    await deny('2.1.197');
    await startOne(cast);
    expect(await refusalOf(claimNext(cast.runner))).toBe('cli_denied');
    await deny('2.1.19');
    expect((await claimNext(cast.runner)).start.tier).toBe(1);

    cast = await makeCast();
    await deny('2.1.197');
    const chainId = await startOne(cast);
    expect(await refusalOf(claimNext(cast.runner))).toBe('cli_denied');
    await beats(cast.runner, NEWER);
    expect((await claimNext(cast.runner)).start.tier).toBe(1);
    const { sessions } = await readChain(cast.alice, chainId);
    const { decision } = await getSession(cast.alice, encodeId('ses', sessions[0]?.id ?? ''));
    expect(decision?.guards.find(({ id }) => id === 'G23')).toMatchObject({
      state: 'passed',
      compared: { cliVersion: '2.1.330', deniedByOrganization: '2.1.197' },
    });
  });

  it('goes to a runner of its pool that has an allowed version', async () => {
    await startOne(cast);
    const newer = await secondRunner(cast, NEWER);
    const alsoDenied = await secondRunner(cast, TEST_CAPABILITIES, new Date(), 'third');
    await deny('2.1.197');
    const id = await nextAttemptId(cast.runner);
    expect(await refusalOf(claimAttempt(cast.runner, id))).toBe('cli_denied');
    const enqueued = (await listEnqueued(database)).filter(({ attemptId }) => attemptId === id);
    const own = [newer, alsoDenied].map(({ actor }) => runnerQueue(actor.id));
    expect(own.map((queue) => enqueued.some((each) => each.queue === queue))).toEqual([
      true,
      false,
    ]);
    expect((await claimAttempt(newer, id)).start.tier).toBe(1);
  });

  it('starts from the handoff elsewhere where the host of its conversation has a denied version', async () => {
    const newer = await secondRunner(cast, NEWER);
    const chainId = await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), { report: wantsHelp() });
    await deny('2.1.197');
    const id = await nextAttemptId(cast.runner);
    expect(await refusalOf(claimAttempt(newer, id))).toBe('not_this_runner');
    expect(await refusalOf(claimAttempt(cast.runner, id))).toBe('cli_denied');
    const spec = await claimAttempt(newer, id);
    expect(spec.start.continuation).toEqual({ mode: 'handoff' });
    expect(await decisionsOf(chainId)).toContainEqual(['handoff', 'OWNER_CLI_DENYLISTED']);
  });

  it('of the demo agent is not concerned', async () => {
    cast = await makeCast({ harness: 'demo' });
    await deny('<999.0.0');
    await startOne(cast);
    expect((await claimNext(cast.runner)).start.harness).toBe('demo');
  });
});

it('[ENG-2.7] the sweep keeps the reason up to date', async () => {
  await deny('<2.1.198');
  const chainId = await startOne(cast);
  const id = await nextAttemptId(cast.runner);
  const explained = async () => {
    await explainWaits([{ id }], new Date());
    const { chain, sessions } = await readChain(cast.alice, chainId);
    const { statusText, waitReason } = chain;
    expect(sessions).toMatchObject([{ statusText, waitReason }]);
    return [waitReason, statusText];
  };
  expect(await explained()).toEqual(['version', SENTENCE]);
  await secondRunner(cast, TEST_CAPABILITIES);
  const both = expect.stringMatching(/runner-1 has .+; second has Claude Code 2\.1\.197/);
  expect(await explained()).toEqual(['version', both]);
  await deny();
  expect(await explained()).toEqual(['runner', expect.stringContaining('slots are free')]);
});

it('[ENG-2.7] a turn does not start under a denied version, and goes to the runner that may', async () => {
  const conversation = await talk(cast);
  await deny('<2.1.198');
  await askTurn(cast.alice, conversation.id, { message: 'And db?', forceFresh: false });
  for (const _ of [1, 2]) expect(await refusalOf(claimNext(cast.runner))).toBe('cli_denied');
  expect((await conversation.lastTurn()).statusText).toBe(SENTENCE);
  const waiting = await inTransaction(cast.alice, (db) =>
    db.session.findMany({ where: { status: 'waiting' }, select: { waitReason: true } }),
  );
  expect(waiting).toEqual([{ waitReason: 'version' }]);
  const recorded = await inTransaction(cast.alice, (db) =>
    db.decision.count({ where: { reason: 'CLI_DENYLISTED' } }),
  );
  expect(recorded).toBe(1);
  const newer = await secondRunner(cast, NEWER);
  expect(carried(await answerNext(newer, 'db is well'))).toBe('transcript');
  expect((await conversation.lastTurn()).start?.reason).toBe('OWNER_CLI_DENYLISTED');
});

it('[ENG-2.7] the runner shows that its version is denied', async () => {
  const id = encodeId('rnr', cast.runner.actor.id);
  const codes = async () => (await getRunner(cast.alice, id)).problems.map(({ code }) => code);
  expect(await codes()).not.toContain('cli_denied');
  await deny('2.1.197');
  expect(await codes()).toContain('cli_denied');
});
