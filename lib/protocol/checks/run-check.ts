import { probeCommand } from './command/probe';
import { probeContainer } from './container/probe';
import { probeDatabase } from './database/probe';
import { shownCheck } from './describe-check';
import { probeDns } from './dns/probe';
import { probeHttp } from './http/probe';
import type { CHECK_KINDS, Check, CheckFacts, CheckType } from './kinds';
import {
  degraded,
  down,
  failureOf,
  type Probe,
  type ProbeResult,
  type RunCheckCommand,
  unknown,
} from './outcome';
import { probeProcess } from './process/probe';
import { probePrometheus } from './prometheus/probe';
import { runnableChecks } from './revision';
import { probeSystemUnit } from './service/probe';
import { probeTcp } from './tcp/probe';
import { probeTls } from './tls/probe';

const PROBES: { [Type in CheckType]: Probe<(typeof CHECK_KINDS)[Type]['fields']> } = {
  http: probeHttp,
  tcp: probeTcp,
  tls: probeTls,
  dns: probeDns,
  database: probeDatabase,
  container: probeContainer,
  service: probeSystemUnit,
  process: probeProcess,
  prometheus: probePrometheus,
  command: probeCommand,
  heartbeat: async () =>
    unknown('A heartbeat is received by the control plane. A runner can’t check it.'),
};

export interface CheckOutcome extends Omit<ProbeResult, 'facts'> {
  service: string;
  type: CheckType;
  /** Identifies the check in its service: see `shownCheck`. Never contains a password. */
  target: string;
  /** Whole milliseconds until the answer; null where nothing answered. */
  responseTimeMs: number | null;
  facts?: CheckFacts;
}

/** A deadline that is noticed this much too late says nothing about the target. */
const MAX_LAG_MS = 1_000;

/**
 * Runs one check from this host. Never rejects: a failure is the outcome's `error`, and one of the host
 * itself has the status `unknown`.
 *
 * @param before facts of the previous execution: a target that was restarted since is degraded
 * @param runCommand runs the program of a `command` check; without it, such a check is unknown
 */
export async function runCheck(
  check: Check,
  serviceName: string,
  before: CheckFacts | null = null,
  runCommand?: RunCheckCommand,
): Promise<CheckOutcome> {
  return {
    service: serviceName,
    type: check.type,
    target: shownCheck(check),
    ...judgeRestart(before, judgeTime(check, await probeInTime(check, runCommand))),
  };
}

/** All checks of a service that a runner performs, in their configured order. */
export function runServiceChecks(
  service: { name: string; checks: readonly Check[] },
  runCommand?: RunCheckCommand,
): Promise<CheckOutcome[]> {
  return Promise.all(
    runnableChecks(service).map((check) => runCheck(check, service.name, null, runCommand)),
  );
}

type TimedResult = Omit<ProbeResult, 'facts'> & Pick<CheckOutcome, 'responseTimeMs' | 'facts'>;

async function probeInTime(
  check: Check,
  runCommand: RunCheckCommand | undefined,
): Promise<TimedResult> {
  const startedAt = performance.now();
  const timeoutMs = check.timeoutSeconds * 1_000;
  const controller = new AbortController();
  let resultOfTimeout: ProbeResult | null = null;
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<TimedResult>((resolve) => {
    timer = setTimeout(() => {
      const lagMs = performance.now() - startedAt - timeoutMs;
      const result = resultOfTimeout ?? down(`No response within ${check.timeoutSeconds} s.`);
      resolve({ ...(lagMs > MAX_LAG_MS ? overloaded(lagMs) : result), responseTimeMs: null });
      controller.abort();
    }, timeoutMs);
  });
  const probe = async (): Promise<TimedResult> => {
    const result = await PROBES[check.type](check, {
      signal: controller.signal,
      runCommand,
      whenTimeIsUp(next) {
        resultOfTimeout = next;
      },
    });
    const isAnswered = result.status !== 'unknown';
    return {
      ...result,
      responseTimeMs: isAnswered ? Math.round(performance.now() - startedAt) : null,
    };
  };
  try {
    // A race: name look-ups cannot be aborted, and must not hold the answer back.
    return await Promise.race([probe(), timedOut]);
  } catch (error) {
    return { ...failureOf(error), responseTimeMs: null };
  } finally {
    clearTimeout(timer);
  }
}

function overloaded(lagMs: number): ProbeResult {
  const seconds = Math.round(lagMs / 1_000);
  return unknown(
    `The runner was busy for ${seconds} s, so it can’t tell whether the target responded in time.`,
  );
}

function judgeTime({ maxResponseMs }: Check, result: TimedResult): TimedResult {
  const { status, responseTimeMs } = result;
  if (status !== 'healthy' || !maxResponseMs || responseTimeMs === null) return result;
  if (responseTimeMs <= maxResponseMs) return result;
  return {
    ...result,
    ...degraded(`Took ${responseTimeMs} ms, over the limit of ${maxResponseMs} ms.`),
  };
}

function judgeRestart(before: CheckFacts | null, result: TimedResult): TimedResult {
  const why =
    result.status === 'healthy' && result.facts ? restartSince(before, result.facts) : null;
  return why === null ? result : { ...result, ...degraded(why) };
}

/**
 * Returns how a running target was restarted since an earlier execution of the same check, as one
 * sentence; null if it wasn't, or that isn't known. A crash loop often shows as running at each look.
 *
 * @param before facts of the earlier execution
 */
export function restartSince(
  before: CheckFacts | null | undefined,
  { restarts, instance, startedAt }: CheckFacts,
): string | null {
  if (!before) return null;
  if (restarts !== undefined && before.restarts !== undefined && restarts > before.restarts) {
    const count = restarts - before.restarts;
    return `Restarted automatically since the last check (${count === 1 ? 'once' : `${count} times`}).`;
  }
  if (!instance || !before.instance || instance === before.instance) return null;
  return startedAt
    ? `Restarted since the last check, at ${startedAt}.`
    : 'Restarted since the last check.';
}
