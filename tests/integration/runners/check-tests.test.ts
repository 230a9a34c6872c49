/** "Test now": a person tries a check, a runner of the pool looks, and says what it found. */

import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordHeartbeat, waitForDirectives } from '@/lib/engine/directives';
import { recordCheckTest, testCheck, testCheckIfOnline } from '@/lib/fleet/check-tests';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ForbiddenError, LimitExceededError, NotFoundError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { liveHub } from '@/lib/platform/live/hub';
import { CHECK_TESTS_PER_ORGANIZATION } from '@/lib/platform/rate-limits';
import { ensurePool } from '@/lib/projects/project-rows';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { createCheckTests } from '@/workers/runner/checks/check-tests';
import { secondRunner } from '../conversations/support/second-runner';

useTestDatabase();

const check = { type: 'tcp', target: '127.0.0.1:9', timeoutSeconds: 5 } as const;
const request = { pool: 'default', service: 'web', check };
let cast: Cast;

beforeEach(async () => {
  cast = await makeCast();
  const capabilities = { ...TEST_CAPABILITIES, canTestChecks: true };
  await recordHeartbeat(cast.runner, { protocol: 1, capabilities, running: [] });
});
afterAll(() => liveHub().close());

/** What the runner is told as soon as there is something to say. */
async function told() {
  const { directives } = await waitForDirectives(cast.runner, new AbortController().signal);
  return directives.filter((directive) => directive.kind === 'check');
}

const left = () => inTransaction(cast.alice, (db) => db.checkTest.count());

describe('[INC-1.1] a check of a new kind that is tried', () => {
  const tls = { type: 'tls', target: 'shop.test', timeoutSeconds: 5 } as const;
  const run = (more: object, who = cast.alice) =>
    testCheck(who, { ...request, check: { ...check, ...more } });

  it('may be unknown with the reason, and shows what was measured', async () => {
    const heartbeat = { ...TEST_CAPABILITIES, canTestChecks: true };
    await recordHeartbeat(cast.runner, { protocol: 1, capabilities: heartbeat, running: [] });
    const container = { type: 'container', target: 'web', timeoutSeconds: 5 } as const;
    const tried = testCheck(cast.alice, { ...request, check: container });
    const [directive] = await told();
    const outcome = {
      status: 'unknown',
      error: 'There is no docker on this runner.',
      responseTimeMs: null,
      facts: { state: 'running' },
    } as const;
    await recordCheckTest(cast.runner, directive?.testId ?? '', outcome);
    expect((await tried).outcome).toEqual(outcome);
  });

  it('never goes to a runner that would not understand it', async () => {
    const old = { ...TEST_CAPABILITIES, canTestChecks: true, checkRevision: undefined };
    await recordHeartbeat(cast.runner, { protocol: 1, capabilities: old, running: [] });
    await expect(run(tls)).rejects.toThrow('are too old to test this check');
    await expect(run({ maxResponseMs: 100 })).rejects.toThrow('are too old to test this check');
    expect(await left()).toBe(0);
  });

  it('is validated like one that is saved, and a heartbeat can’t be tried', async () => {
    await expect(run({ target: 'no-port' })).rejects.toThrow('Enter a host and port');
    await expect(run({ type: 'command', target: 'rm -rf x' })).rejects.toThrow('rm is not in the');
    await expect(run({ type: 'heartbeat', target: 'backup' })).rejects.toThrow('can’t be tested');
    expect(await left()).toBe(0);
  });

  it('runs no command that the project’s tier 1 doesn’t allow', async () => {
    const tried = { type: 'command', target: 'df -P /srv', timeoutSeconds: 5 } as const;
    const { projectSlug: project } = cast;
    await expect(testCheck(cast.alice, { ...request, project, check: tried })).rejects.toThrow(
      /^The command may not run: tier 1’s rules don’t allow it\. /,
    );
    const elsewhere = await makeCast();
    await expect(
      testCheck(elsewhere.alice, {
        ...request,
        project: encodeId('prj', cast.projectId),
        check: tried,
      }),
    ).rejects.toThrow(NotFoundError);
    expect(await left()).toBe(0);
  });

  it('runs an unlisted command for owners alone', async () => {
    const own = { type: 'command', target: 'my-probe', isAllowedByOwner: true };
    const admin = { ...cast.alice, role: 'admin' } as const;
    await expect(run(own, admin)).rejects.toThrow('Only an owner');
    expect(await left()).toBe(0);
    const tried = run(own);
    const [directive] = await told();
    expect(directive).toMatchObject({ check: own, checkRevision: 2 });
    const outcome = { status: 'healthy', error: '', responseTimeMs: 1 } as const;
    await recordCheckTest(cast.runner, directive?.testId ?? '', outcome);
    expect((await tried).outcome).toEqual(outcome);
  });
});

const NO_COMMANDS = { of: () => async () => ({ refusal: 'none may run here.' }) };

describe('a check that is tried', () => {
  it('[SAS-2.1] [FLT-5.3] is run by a runner of the pool, which is named and says what it found, and leaves no row', async () => {
    const tried = testCheck(cast.alice, request);
    const [directive] = await told();
    expect(directive).toMatchObject({ service: 'web', check });
    const sendCheckTest = vi.fn((id: string, outcome) => recordCheckTest(cast.runner, id, outcome));
    if (directive) await createCheckTests({ sendCheckTest }, NO_COMMANDS)(directive);
    expect(await tried).toEqual({
      runner: 'runner-1',
      outcome: {
        status: 'down',
        error: expect.stringContaining('refused'),
        responseTimeMs: null,
      },
      measured: '',
    });
    expect(sendCheckTest).toHaveBeenCalledOnce();
    expect(await left()).toBe(0);
  });

  it('[SAS-1.3] is answered by its own runner alone, and once', async () => {
    const others = [await secondRunner(cast, null), (await makeCast()).runner];
    const tried = testCheck(cast.alice, request);
    const [directive] = await told();
    const outcome = { status: 'healthy', error: '', responseTimeMs: 3 } as const;
    const id = directive?.testId ?? '';
    for (const other of others) {
      await expect(recordCheckTest(other, id, outcome)).rejects.toThrow(NotFoundError);
    }
    await recordCheckTest(cast.runner, id, outcome);
    expect((await tried).outcome).toEqual(outcome);
    await expect(recordCheckTest(cast.runner, id, outcome)).rejects.toThrow(NotFoundError);
  });

  it('can be tried only so often, whatever came of it', async () => {
    const nowhere = { ...request, pool: 'eu' };
    for (let tries = 0; tries < CHECK_TESTS_PER_ORGANIZATION.points; tries += 1) {
      await expect(testCheck(cast.alice, nowhere)).rejects.toThrow('No runner in pool eu');
    }
    await expect(testCheck(cast.alice, nowhere)).rejects.toThrow(LimitExceededError);
    const other = await makeCast();
    await expect(testCheck(other.alice, nowhere)).rejects.toThrow('No runner in pool eu');
  });

  it('[FLT-5.3] never goes to a runner of another pool or organization', async () => {
    const capabilities = { ...TEST_CAPABILITIES, canTestChecks: true };
    const ofPool = await secondRunner(cast, null);
    await inTransaction(cast.alice, async (db) => {
      const poolId = await ensurePool(db, 'eu');
      await db.runner.updateMany({ where: { id: ofPool.actor.id }, data: { poolId } });
    });
    const others = [ofPool, (await makeCast()).runner];
    const beat = (runner: typeof ofPool) =>
      recordHeartbeat(runner, { protocol: 1, capabilities, running: [] });
    for (const other of others) await beat(other);
    const tried = testCheck(cast.alice, request);
    const [directive] = await told();
    for (const other of others) {
      const { directives } = await beat(other);
      expect(directives.filter(({ kind }) => kind === 'check')).toEqual([]);
    }
    const outcome = { status: 'healthy', error: '', responseTimeMs: 3 } as const;
    await recordCheckTest(cast.runner, directive?.testId ?? '', outcome);
    expect(await tried).toEqual({ runner: 'runner-1', outcome, measured: '' });
  });

  it('[FLT-5.3] is refused with the reason where no runner can look, and to who may not', async () => {
    const nowhere = testCheck(cast.alice, { ...request, pool: 'eu' });
    await expect(nowhere).rejects.toThrow('No runner in pool eu is online');
    await recordHeartbeat(cast.runner, {
      protocol: 1,
      capabilities: TEST_CAPABILITIES,
      running: [],
    });
    await expect(testCheck(cast.alice, request)).rejects.toThrow('are too old to test this check');
    expect(await testCheckIfOnline(cast.alice, request)).toEqual({
      refusal: expect.stringContaining('are too old to test this check'),
    });
    const operator = { ...cast.alice, role: 'operator' } as const;
    await expect(testCheck(operator, request)).rejects.toThrow(ForbiddenError);
    expect(await left()).toBe(0);
  });
});
