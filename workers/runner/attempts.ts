/** The attempts this runner answers for, from their claim until their result was taken. */

import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Agent } from '@/lib/agents/agent';
import { logger } from '@/lib/platform/logger';
import type { QuestionAnswers } from '@/lib/protocol/events';
import { NOTHING_RAN, type ResultRequest, type StopCause } from '@/lib/protocol/schema';
import type { AttemptSpec, HarnessName } from '@/lib/protocol/spec';
import type { Agents } from './attempt/agents';
import { type AttemptHost, attemptPaths } from './attempt/host-layout';
import { type AttemptRun, runAttempt } from './attempt/run-attempt';
import { projectSecrets, secretNamesOf } from './attempt/secrets';
import type { ControlPlane } from './control-plane/client';
import { retryUntilDeadline } from './control-plane/retry-until-deadline';
import type { UsedConversations } from './conversations/pruner';
import { placeOfCopy, restoreConversation } from './conversations/restore';
import { createLeases, type LeaseMoment } from './leases';
import { newMarker } from './process/attempt-processes';
import { type AttemptCgroup, type AttemptPlace, makeAttemptCgroup } from './process/cgroup';
import { discardFolder } from './process/discard';
import { currentBootId } from './process/process-table';
import { type StartError, startErrorOf } from './process/start-error';
import { runnerAttempts } from './runner-metrics';
import type { AttemptRecord, AttemptSpool } from './spool/attempt-spool';
import { createAttemptSpool } from './spool/spool-folder';
import type { Uploader } from './spool/uploader';
import { createWaker } from './waker';

export interface Attempts {
  start(spec: AttemptSpec): void;
  /** Takes over what an earlier process of this runner left. */
  adopt(spool: AttemptSpool): void;
  stop(attemptId: string, cause: StopCause): void;
  /** Writes a checkpoint of a running attempt, once per request. */
  checkpoint(attemptId: string, requestedAt: string): void;
  /** Hands answers to a question of a running attempt's agent, once per question. */
  answer(attemptId: string, requestId: string, answers: QuestionAnswers): void;
  stopAll(cause: StopCause): void;
  /** Stops starting attempts. One that is claimed after this is reported as not started. */
  startNothingMore(): void;
  /** The result was taken, or nothing of the attempt ever will be. */
  forget(attemptId: string): void;
  isHeld(attemptId: string): boolean;
  /** How many run, and how many are held in all. */
  counts(): { running: number; held: number };
  /** Null for an attempt that is not held, or was not started. */
  conversationsOf(attemptId: string): UsedConversations | null;
  /** Of all attempts that are held. */
  conversationsInUse(): ReadonlySet<string>;
  /** For the heartbeat: all whose result was not taken yet. */
  held(): { attemptId: string; fence: number }[];
  /**
   * Reserves a slot for the attempt that a response may name. Returns a function that releases it;
   * null if no slot is free.
   */
  keepSlot(): (() => void) | null;
  /** Resolves when fewer than `count()` slots are taken, or after `timeoutMs`. */
  fewerThan(count: () => number, timeoutMs?: number): Promise<void>;
  /** A heartbeat that was sent at this moment was answered: it renews the leases of these attempts. */
  renewLeases(attemptIds: readonly string[], sentAt: LeaseMoment): void;
  /** What `count()` answers has changed. */
  recount(): void;
}

interface AttemptsOptions extends AttemptHost {
  /** How many agents may work at once, now. */
  slots(): number;
  harnesses: Record<HarnessName, Agent>;
  agents: Agents;
  /** Where the cgroups of attempts are; null on a host without them. */
  attemptPlace: AttemptPlace | null;
  secrets: string[];
  uploader: Pick<Uploader, 'add' | 'wake' | 'expectResult'>;
  controlPlane: Pick<ControlPlane, 'sendResult' | 'recall' | 'openSeal' | 'authorizeCommand'>;
}

interface Held {
  fence: number;
  run: AttemptRun | null;
  /** Null: nothing was started. */
  used: UsedConversations | null;
}

const DIRECT_RESULT_MS = 60_000;
/** While the runner stops, which has to be quick. The lease ends an attempt that nobody reports. */
const CLOSING_RESULT_MS = 3_000;
/** The agent waits for it: then the command doesn't run. */
const AUTHORIZE_MS = 20_000;
const MAX_EARLY_STOPS = 100;
const MAX_STARTED = 1_000;

export function createAttempts(options: AttemptsOptions): Attempts {
  const held = new Map<string, Held>();
  const working = new Set<string>();
  const leases = createLeases();
  /** An attempt is started once: its claim can be answered twice, the second time long after. */
  const started = new Set<string>();
  let keptSlots = 0;
  /** A stop can overtake the answer to the claim. */
  const stoppedEarly = new Map<string, StopCause>();
  const ended = createWaker();
  let startsNothing = false;

  function begin(spec: AttemptSpec): void {
    const { attemptId, fence, label } = spec;
    const paths = attemptPaths(options.dir, spec);
    const harness = options.harnesses[spec.start.harness];
    const copyFile = placeOfCopy(spec, paths, harness.conversations);
    const marker = newMarker(attemptId);
    const cgroup = options.attemptPlace ? makeAttemptCgroup(options.attemptPlace, attemptId) : null;
    if (options.attemptPlace && !cgroup) logger.warn({ attemptId }, 'no cgroup for this attempt');
    const record = {
      attemptId,
      fence,
      label,
      claimedAt: new Date().toISOString(),
      marker,
      cgroupDir: cgroup?.dir ?? null,
      cliSessionId: spec.start.cliSessionId,
      configDir: paths.configDir,
      attemptDir: paths.attemptDir,
      privateConfigDir: spec.start.isolation === 'off' ? null : paths.privateConfigDir,
      workDir: paths.workDir,
      writesHandoffFile: spec.start.writesHandoffFile,
      copyFile,
      bootId: currentBootId(),
    };
    const spool = openSpool(record, cgroup);
    options.uploader.add(spool);
    leases.begin(attemptId, spec.leaseSeconds);
    const run = runAttempt({
      runner: options,
      spec,
      spool,
      paths,
      cgroup,
      harness,
      async agent() {
        await options.agents.refresh();
        return options.agents.get(spec.start.harness);
      },
      isAlone: () => !isShared(attemptId, paths.configDir),
      isLeaseValid: () => leases.isValid(attemptId),
      authorizeCommand: (command) =>
        retryUntilDeadline(() => options.controlPlane.authorizeCommand(attemptId, command), {
          forMs: AUTHORIZE_MS,
        }),
      restore: () => restoreConversation(spec, copyFile, options.controlPlane),
      recall: (limit) => options.controlPlane.recall(attemptId, limit),
      secrets: [...options.secrets, ...projectSecrets(options.dir, secretNamesOf(spec))],
      onAdded: () => options.uploader.wake(),
      onAgentResult: () => options.uploader.expectResult(attemptId),
    });
    held.set(attemptId, { fence, run, used: usedBy(spec, paths.configDir) });
    working.add(attemptId);
    const early = stoppedEarly.get(attemptId);
    if (early) run.stop(early);
    logger.info({ attemptId, label }, 'attempt started');
    void run.ended.then(() => {
      discardFolder(options.dir, paths.attemptDir);
      if (copyFile !== null && !isUsedByOthers(spec)) rmSync(copyFile, { force: true });
      cgroup?.remove();
      working.delete(attemptId);
      leases.end(attemptId);
      ended.wake();
      logger.info({ attemptId, label, events: spool.lastSeq }, 'attempt ended');
    });
  }

  /** Whether another attempt that runs uses these folders of a project. */
  function isShared(attemptId: string, configDir: string): boolean {
    return [...working].some(
      (other) => other !== attemptId && held.get(other)?.used?.configDir === configDir,
    );
  }

  /** Another attempt continues the same conversation, whose copy it needs. */
  function isUsedByOthers({ attemptId, start: { continuation } }: AttemptSpec): boolean {
    if (continuation.mode !== 'resume') return false;
    return [...held].some(
      ([other, { used }]) =>
        other !== attemptId && used?.cliSessionIds.includes(continuation.parentCliSessionId),
    );
  }

  function openSpool(record: AttemptRecord, cgroup: AttemptCgroup | null): AttemptSpool {
    try {
      return createAttemptSpool(path.join(options.dir, 'spool'), record);
    } catch (error) {
      cgroup?.remove();
      throw error;
    }
  }

  /** Reported directly, since there is no room for a spool. */
  async function reportNotStarted(
    spec: AttemptSpec,
    startError: StartError,
    forMs = DIRECT_RESULT_MS,
  ): Promise<void> {
    const { attemptId, fence } = spec;
    held.set(attemptId, { fence, run: null, used: null });
    const send = () => options.controlPlane.sendResult(attemptId, notStarted(spec, startError));
    try {
      await retryUntilDeadline(send, { forMs });
    } catch (error) {
      logger.error({ attemptId, error: String(error) }, 'reporting a failed start failed');
    }
    held.delete(attemptId);
  }

  async function decline(spec: AttemptSpec): Promise<void> {
    const { attemptId, label } = spec;
    logger.info({ attemptId, label }, 'attempt not started: this runner is stopping');
    working.add(attemptId);
    const message = 'The runner was stopped before it started this attempt.';
    await reportNotStarted(spec, { code: 'runner_restarted', message }, CLOSING_RESULT_MS);
    working.delete(attemptId);
    ended.wake();
  }

  function remember(attemptId: string, cause: StopCause): void {
    const [oldest] = stoppedEarly.keys();
    if (stoppedEarly.size >= MAX_EARLY_STOPS && oldest) stoppedEarly.delete(oldest);
    stoppedEarly.set(attemptId, cause);
  }

  function isFirstStart(attemptId: string): boolean {
    if (started.has(attemptId)) return false;
    const [oldest] = started;
    if (started.size >= MAX_STARTED && oldest) started.delete(oldest);
    started.add(attemptId);
    return true;
  }

  function keepSlot(): (() => void) | null {
    if (working.size + keptSlots + 1 >= options.slots()) return null;
    keptSlots += 1;
    return () => {
      keptSlots -= 1;
      ended.wake();
    };
  }

  return {
    keepSlot,
    start(spec) {
      if (!isFirstStart(spec.attemptId)) return;
      if (startsNothing) {
        runnerAttempts.add({ result: 'declined' });
        void decline(spec);
        return;
      }
      try {
        begin(spec);
        runnerAttempts.add({ result: 'started' });
      } catch (error) {
        logger.error({ attemptId: spec.attemptId, error: String(error) }, 'attempt not started');
        runnerAttempts.add({ result: 'failed' });
        void reportNotStarted(spec, startErrorOf(error, options.dir));
      }
    },
    adopt(spool) {
      const { attemptId, fence, configDir, cliSessionId } = spool.record;
      const used = { configDir, cliSessionIds: [cliSessionId] };
      held.set(attemptId, { fence, run: null, used });
      options.uploader.add(spool);
    },
    stop(attemptId, cause) {
      const one = held.get(attemptId);
      if (one) one.run?.stop(cause);
      else remember(attemptId, cause);
    },
    checkpoint(attemptId, requestedAt) {
      held.get(attemptId)?.run?.checkpoint(requestedAt);
    },
    answer(attemptId, requestId, answers) {
      held.get(attemptId)?.run?.answer(requestId, answers);
    },
    stopAll(cause) {
      for (const { run } of held.values()) run?.stop(cause);
    },
    startNothingMore() {
      startsNothing = true;
    },
    forget(attemptId) {
      // Already ended, unless the control plane refuses its reports: it must not keep running
      // unobserved.
      held.get(attemptId)?.run?.stop('fenced');
      held.delete(attemptId);
    },
    counts: () => ({ running: working.size, held: held.size }),
    isHeld: (attemptId) => held.has(attemptId),
    conversationsOf: (attemptId) => held.get(attemptId)?.used ?? null,
    conversationsInUse: () =>
      new Set([...held.values()].flatMap(({ used }) => used?.cliSessionIds ?? [])),
    renewLeases: leases.renew,
    recount: () => ended.wake(),
    held: () => [...held].map(([attemptId, { fence }]) => ({ attemptId, fence })),
    async fewerThan(count, timeoutMs = Number.POSITIVE_INFINITY) {
      const until = Date.now() + timeoutMs;
      while (working.size + keptSlots >= count() && Date.now() < until) {
        await ended.woken(Number.isFinite(until) ? until - Date.now() : undefined);
      }
    },
  };
}

function usedBy({ start }: AttemptSpec, configDir: string): UsedConversations {
  const { continuation, cliSessionId } = start;
  const parent = continuation.mode === 'resume' ? [continuation.parentCliSessionId] : [];
  return { configDir, cliSessionIds: [...parent, cliSessionId] };
}

function notStarted({ fence, start }: AttemptSpec, startError: StartError): ResultRequest {
  return {
    ...NOTHING_RAN,
    fence,
    endedAt: new Date().toISOString(),
    startError,
    handoffFile: { state: start.writesHandoffFile ? 'absent' : 'not_expected' },
    events: [],
    claimsNext: false,
  };
}
