/**
 * Runs the checks that the control plane has given to this runner, each on its own interval, and reports
 * what they find. It keeps running them while the control plane doesn't answer.
 */
import { logger } from '@/lib/platform/logger';
import type { CheckFacts } from '@/lib/protocol/checks/kinds';
import { runCheck } from '@/lib/protocol/checks/run-check';
import type { CheckPlan, PlannedCheck, PlanResult } from '@/lib/protocol/monitoring';
import { type CheckSpec, type CommandPolicy, checkSchema } from '@/lib/protocol/spec';
import type { ControlPlane } from '../control-plane/client';
import { countResult } from '../runner-metrics';
import type { CheckCommands } from './check-commands';
import { CheckSlots } from './check-slots';
import { needsNetwork, networkReference } from './network-reference';
import { UnsentResults } from './unsent-results';

export interface CheckPlanCounts {
  scheduled: number;
  /** Due, but too many others run. */
  waiting: number;
  running: number;
  /** Results that weren't reported yet. */
  unsent: number;
}

interface CheckPlanRunner {
  counts(): CheckPlanCounts;
  /** Runs the checks that this digest stands for; null: none. */
  follow(digest: string | null): void;
  /** Ends all of them. What they have found isn't reported. */
  close(): void;
}

/** The first run of a check comes soon, but not at the same time as all others. */
const FIRST_WITHIN_MS = 10_000;
const SEND_EVERY_MS = 1_000;
const RETRY_PLAN_MS = 5_000;
const TOO_BUSY = 'The runner was too busy to measure: its host kept it from running meanwhile.';

interface Scheduled extends PlannedCheck {
  projectId: string;
  epoch: number;
  /** Of the project: tier 1's rules for the commands of checks. */
  commands: CommandPolicy | null;
  timer: NodeJS.Timeout | null;
}
type Found = Pick<PlanResult, 'status' | 'error' | 'responseTimeMs'>;

function couldNotRun(error: string): Found {
  return { status: 'unknown', error, responseTimeMs: null };
}

export function createCheckPlan(options: {
  controlPlane: Pick<ControlPlane, 'checkPlan' | 'sendCheckResults'>;
  /** Of the control plane. */
  url: string;
  /** UUID of this process: the numbers of its runs are its own. */
  processId: string;
  commands: Pick<CheckCommands, 'of'>;
}): CheckPlanRunner {
  const { controlPlane, processId } = options;
  const reference = networkReference(options.url);
  const lag = watchLag();
  /** By the check's id. */
  let scheduled = new Map<string, Scheduled>();
  let wanted: string | null = null;
  let followed: string | null = null;
  let isFetching = false;
  let isClosed = false;
  const unsent = new UnsentResults();
  let isSending = false;
  /** How many runs of checks this process has completed. */
  let runs = 0;
  /** What the last run of each check measured, by which a restart is noticed. */
  const facts = new Map<string, CheckFacts | null>();
  const slots = new CheckSlots();
  /** When a check last passed that needs the network. */
  let passedAt = 0;
  const sender = setInterval(() => void send(), SEND_EVERY_MS);
  sender.unref();

  async function fetchPlan(): Promise<void> {
    if (isFetching || isClosed || wanted === followed) return;
    isFetching = true;
    try {
      const plan = wanted === null ? null : await controlPlane.checkPlan();
      // While it was on its way, the checks may have been taken away.
      if (!isClosed && wanted !== null && plan) adopt(plan);
      else adopt({ digest: '', projects: [] });
      followed = wanted === null ? null : (plan?.digest ?? null);
    } catch (error) {
      logger.warn({ error: String(error) }, 'checks not fetched, will retry');
      setTimeout(() => void fetchPlan(), RETRY_PLAN_MS).unref();
      return;
    } finally {
      isFetching = false;
    }
    // The plan may be newer than its directive, whose own digest then follows.
    if (wanted === null && followed !== null) void fetchPlan();
  }

  /** A check that stays keeps its time. */
  function adopt({ projects }: CheckPlan): void {
    const before = scheduled;
    scheduled = new Map();
    for (const { projectId, epoch, commands = null, checks } of projects) {
      for (const check of checks) {
        const old = before.get(check.checkId);
        const isSame = old?.everySeconds === check.everySeconds;
        const about = { projectId, epoch, commands };
        const one: Scheduled = { ...check, ...about, timer: isSame ? old.timer : null };
        scheduled.set(check.checkId, one);
        if (isSame) before.delete(check.checkId);
        else schedule(one, firstDelayMs(check));
      }
    }
    for (const { timer } of before.values()) if (timer) clearTimeout(timer);
    for (const id of facts.keys()) if (!scheduled.has(id)) facts.delete(id);
  }

  function schedule(one: Scheduled, delayMs: number): void {
    one.timer = setTimeout(() => {
      const current = scheduled.get(one.checkId);
      if (!current || isClosed) return;
      schedule(current, current.everySeconds * 1_000);
      slots.add(current);
      startNext();
    }, delayMs);
    one.timer.unref();
  }

  function startNext(): void {
    for (const id of slots.start()) {
      const check = scheduled.get(id);
      void (check ? perform(check) : Promise.resolve()).finally(() => {
        slots.end(id);
        startNext();
      });
    }
  }

  async function perform(one: Scheduled): Promise<void> {
    const startedAt = performance.now();
    const outcome = await outcomeOf(one);
    if (isClosed) return;
    // Nothing that was measured meanwhile says anything about the service, whether it failed or passed.
    const found = lag.wasLateSince(startedAt) ? couldNotRun(TOO_BUSY) : outcome;
    countResult(one.check, found.status);
    const { projectId, epoch, checkId } = one;
    runs += 1;
    const run = { processId, number: runs };
    const ranAt = new Date().toISOString();
    unsent.add({ projectId, epoch, checkId, run, ranAt, hadAt: performance.now(), ...found });
  }

  async function outcomeOf({ checkId, check, service, commands }: Scheduled): Promise<Found> {
    const spec = checkSchema.safeParse(check);
    if (!spec.success) {
      return couldNotRun(
        'This runner’s version doesn’t know this kind of check. Update the runner.',
      );
    }
    const startedAt = performance.now();
    const before = facts.get(checkId) ?? null;
    const outcome = await runCheck(spec.data, service, before, options.commands.of(commands));
    const { status, error, responseTimeMs } = outcome;
    if (outcome.facts) facts.set(checkId, outcome.facts);
    const hasPassed = status === 'healthy' || status === 'degraded';
    if (hasPassed && needsNetwork(spec.data)) passedAt = performance.now();
    if (status === 'down' && (await isCutOff(spec.data, startedAt))) {
      return couldNotRun(
        'The runner has no network: the control plane’s host doesn’t answer either.',
      );
    }
    return { status, error: error.slice(0, 2_000), responseTimeMs };
  }

  async function isCutOff(check: CheckSpec, startedAt: number): Promise<boolean> {
    if (!needsNetwork(check) || passedAt > startedAt) return false;
    return !(await reference.isReachable());
  }

  async function send(): Promise<void> {
    if (isSending || isClosed) return;
    const startedAt = performance.now();
    const sent = unsent.next(startedAt);
    if (sent.length === 0) return;
    isSending = true;
    try {
      const results = sent.map(({ hadAt, ...result }) => ({
        ...result,
        agoMs: Math.max(0, Math.round(startedAt - hadAt)),
      }));
      const answer = await controlPlane.sendCheckResults({ results });
      unsent.answered(sent, answer, performance.now());
      if (answer.refused.length > 0 && wanted !== null) {
        followed = null;
        void fetchPlan();
      }
    } catch (error) {
      if (isClosed) return;
      unsent.failed(sent, error, startedAt, performance.now());
      logger.warn({ error: String(error), results: sent.length }, 'check results not sent');
    } finally {
      isSending = false;
    }
  }

  return {
    counts: () => ({
      scheduled: scheduled.size,
      waiting: slots.waiting,
      running: slots.running,
      unsent: unsent.count,
    }),
    follow(digest) {
      wanted = digest;
      void fetchPlan();
    },
    close() {
      isClosed = true;
      clearInterval(sender);
      lag.stop();
      for (const { timer } of scheduled.values()) if (timer) clearTimeout(timer);
      scheduled.clear();
    },
  };
}

/** From the check's id, so that those of a project don't start together. */
function firstDelayMs({ checkId, everySeconds }: PlannedCheck): number {
  const spread = Math.min(FIRST_WITHIN_MS, everySeconds * 1_000);
  return Number.parseInt(checkId.slice(-6), 16) % spread;
}

interface LagWatch {
  /** Whether timers were late at any time since then, by performance.now(). */
  wasLateSince(startedAt: number): boolean;
  stop(): void;
}

const EVERY_MS = 250;

/** Later than that, connections time out for reasons of our own. */
const LATE_MS = 1_000;

/** Watches whether this process was kept from running: what it measured meanwhile says nothing about a service. */
function watchLag(): LagWatch {
  let dueAt = performance.now() + EVERY_MS;
  let lateAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - dueAt > LATE_MS) lateAt = now;
    dueAt = now + EVERY_MS;
  }, EVERY_MS);
  timer.unref();
  return {
    wasLateSince: (startedAt) => lateAt >= startedAt || performance.now() - dueAt > LATE_MS,
    stop: () => clearInterval(timer),
  };
}
