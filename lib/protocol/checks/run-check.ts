import type { CheckSpec, CheckType, ServiceSpec } from '../spec';
import { probeDatabase } from './database';
import { probeContainer, probeProcess, probeSystemService } from './host';
import { probeDns, probeHttp, probeTcp } from './network';
import { type CheckOutcome, down, failureText, type Probe, type ProbeResult } from './outcome';
import { shownTarget } from './target';

const probes: Record<CheckType, Probe> = {
  http: probeHttp,
  dns: probeDns,
  tcp: probeTcp,
  container: probeContainer,
  database: probeDatabase,
  service: probeSystemService,
  process: probeProcess,
};

/** Runs one check from this host. Never rejects: a failure is the outcome's `error`. */
export async function runCheck(check: CheckSpec, serviceName: string): Promise<CheckOutcome> {
  return {
    service: serviceName,
    type: check.type,
    target: shownTarget(check.target),
    ...(await probeInTime(check)),
  };
}

/** All checks of a service, in their configured order. */
export function runServiceChecks(service: ServiceSpec): Promise<CheckOutcome[]> {
  return Promise.all(service.checks.map((check) => runCheck(check, service.name)));
}

type TimedResult = ProbeResult & Pick<CheckOutcome, 'responseTimeMs'>;

async function probeInTime(check: CheckSpec): Promise<TimedResult> {
  const startedAt = performance.now();
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<TimedResult>((resolve) => {
    timer = setTimeout(() => {
      resolve({ ...down(`No response within ${check.timeoutSeconds} s.`), responseTimeMs: null });
      controller.abort();
    }, check.timeoutSeconds * 1_000);
  });
  const probe = async (): Promise<TimedResult> => {
    const result = await probes[check.type](check, controller.signal);
    return { ...result, responseTimeMs: Math.round(performance.now() - startedAt) };
  };
  try {
    // A race: name look-ups cannot be aborted, and must not hold the answer back.
    return await Promise.race([probe(), timedOut]);
  } catch (error) {
    return { ...down(failureText(error)), responseTimeMs: null };
  } finally {
    clearTimeout(timer);
  }
}
