import { v7 as uuidv7 } from 'uuid';
import { mayDo, requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { InvalidError, NotFoundError, PreconditionFailedError } from '@/lib/platform/errors';
import { notifyRunner } from '@/lib/platform/live/hint';
import { liveHub } from '@/lib/platform/live/hub';
import { CHECK_TESTS_PER_ORGANIZATION, consume } from '@/lib/platform/rate-limits';
import { problemsOfCheck } from '@/lib/projects/check-problems';
import { commandCheckRefusal } from '@/lib/projects/command-check';
import { checkCommandPolicy } from '@/lib/projects/rules/command-policy';
import { getCurrentProject } from '@/lib/projects/versions';
import { factWords } from '@/lib/protocol/checks/describe-check';
import { revisionNeeded } from '@/lib/protocol/checks/revision';
import {
  type CheckTestOutcome,
  capabilitiesSchema,
  checkTestOutcomeSchema,
  MAX_CHECK_ERROR,
} from '@/lib/protocol/schema';
import type { CheckSpec } from '@/lib/protocol/spec';
import { checkRevisionOf } from './capabilities';
import {
  answerCheckTest,
  deleteCheckTest,
  insertCheckTest,
  listPoolRunners,
  takeOutcome,
} from './check-tests-data';
import { OFFLINE_AFTER_SECONDS } from './status';

/**
 * Time for reaching the runner and for the way back, in addition to the check's own timeout, in
 * milliseconds.
 */
const TRAVEL_MS = 10_000;
/** Interval for reading the row again, because a hint can be lost. */
const LOOK_AGAIN_MS = 1_000;

export interface CheckTest {
  /** Name of the runner that ran the check. */
  runner: string;
  /** Null: the runner didn't answer in time. */
  outcome: CheckTestOutcome | null;
  /** What it measured, in words; empty if nothing. */
  measured: string;
}

export interface TestedCheck {
  pool: string;
  service: string;
  check: CheckSpec;
  project?: string | undefined;
}

/**
 * Has a runner of the pool run a check now, as a chain would, and waits for its outcome.
 *
 * @param project slug or id; its saved rules of tier 1 decide about a command
 * @throws InvalidError for a check that could not be saved by this actor, or whose command may not run
 * @throws PreconditionFailedError when no runner of the pool is able to
 * @throws LimitExceededError after too many tests
 */
export async function testCheck(
  scope: TenantScope,
  { pool, service, check, project }: TestedCheck,
  now = new Date(),
): Promise<CheckTest> {
  requireMay(scope, 'project.change');
  requireTestable(scope, check);
  if (project !== undefined) await requireRunnable(scope, project, check);
  await consume(CHECK_TESTS_PER_ORGANIZATION, scope.organizationId);
  const id = uuidv7();
  const runner = await inTransaction(scope, async (db) => {
    const seenAfter = new Date(now.getTime() - OFFLINE_AFTER_SECONDS * 1_000);
    const online = await listPoolRunners(db, pool, seenAfter);
    const able = online.find(({ capabilities }) => canTest(capabilities, check));
    if (!able) {
      throw new PreconditionFailedError(
        online.length === 0
          ? `No runner in pool ${pool} is online, so the check can’t be tested. Start one, or connect another.`
          : `The runners in pool ${pool} are too old to test this check. Update one.`,
      );
    }
    await insertCheckTest(db, { id, runnerId: able.id, service, check }, now);
    await notifyRunner(db, able.id);
    return able;
  });
  const waitMs = check.timeoutSeconds * 1_000 + TRAVEL_MS;
  const outcome = await waitForOutcome(scope, id, runner.id, waitMs);
  const measured = outcome?.facts ? factWords(check.type, outcome.facts) : '';
  return { runner: runner.name, outcome, measured };
}

/** A test runs what isn't saved yet, so it is validated like a save. */
function requireTestable(scope: TenantScope, check: CheckSpec): void {
  if (check.type === 'heartbeat') {
    throw new InvalidError(
      'A heartbeat can’t be tested from here, because the job it watches sends it. Save it, then send a ping.',
    );
  }
  const [problem] = Object.values(problemsOfCheck(check));
  if (problem) throw new InvalidError(problem);
  if (check.isAllowedByOwner && !mayDo(scope.role, 'check.allow_command')) {
    throw new InvalidError('Only an owner of the organization can test this command.');
  }
}

/** A runner would refuse it once it is saved, and a test must not say otherwise. */
async function requireRunnable(
  scope: TenantScope,
  project: string,
  check: CheckSpec,
): Promise<void> {
  if (check.type !== 'command') return;
  const { config } = await getCurrentProject(scope, project);
  const own = { name: 'tested', checks: [check] };
  const policy = checkCommandPolicy({ ...config, services: [...config.services, own] });
  const refusal = commandCheckRefusal(check, policy ?? null);
  if (refusal) throw new InvalidError(`The command may not run: ${refusal}`);
}

function canTest(capabilities: unknown, check: CheckSpec): boolean {
  const reported = capabilitiesSchema.safeParse(capabilities).data;
  return reported?.canTestChecks === true && revisionNeeded(check) <= checkRevisionOf(capabilities);
}

/** The same, but returns the reason where no runner of the pool is able to. */
export async function testCheckIfOnline(
  scope: TenantScope,
  test: Parameters<typeof testCheck>[1],
  now = new Date(),
): Promise<CheckTest | { refusal: string }> {
  try {
    return await testCheck(scope, test, now);
  } catch (error) {
    if (error instanceof PreconditionFailedError) return { refusal: error.message };
    throw error;
  }
}

/**
 * Stores what the runner of `scope` found.
 *
 * @throws NotFoundError for a test of another runner
 */
export function recordCheckTest(
  scope: TenantScope,
  testId: string,
  outcome: CheckTestOutcome,
): Promise<void> {
  return inTransaction(scope, async (db) => {
    const test = { id: testId, runnerId: scope.actor.id };
    // Redaction can make the text longer than a runner may send it.
    const kept = { ...outcome, error: outcome.error.slice(0, MAX_CHECK_ERROR) };
    if (!(await answerCheckTest(db, test, kept))) throw new NotFoundError();
    // Wakes the request that waits for the outcome, and updates the runner's directives.
    await notifyRunner(db, scope.actor.id);
  });
}

async function waitForOutcome(
  scope: TenantScope,
  id: string,
  runnerId: string,
  waitMs: number,
): Promise<CheckTestOutcome | null> {
  const endsAt = Date.now() + waitMs;
  for (;;) {
    const hint = hintOf(runnerId);
    const outcome = await inTransaction(scope, (db) => takeOutcome(db, id));
    if (outcome) {
      hint.cancel();
      return checkTestOutcomeSchema.parse(outcome);
    }
    if (Date.now() >= endsAt) {
      hint.cancel();
      await inTransaction(scope, (db) => deleteCheckTest(db, id));
      return null;
    }
    await hint.received;
  }
}

/** Subscribes before the row is read, so no hint in between is missed. */
function hintOf(runnerId: string) {
  let cancel = () => {};
  const received = new Promise<void>((resolve) => {
    const unsubscribe = liveHub().subscribe(`r:${runnerId}`, () => cancel());
    const timer = setTimeout(() => cancel(), LOOK_AGAIN_MS);
    cancel = () => {
      unsubscribe();
      clearTimeout(timer);
      resolve();
    };
  });
  return { received, cancel: () => cancel() };
}
