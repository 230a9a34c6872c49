/** What the end of a verification proves. */
import {
  listCheckedServices,
  listUnproven,
  longestInterval,
  type UnprovenCheck,
} from '@/lib/monitoring/checker-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { IncidentEvent } from './events/registry';
import { type ActiveIncident, type IncidentIn, presentServices } from './incident';
import { holdsOpen, serviceIdsOf } from './signals-of-incident';
import { FAILING_STATUSES, type FailingStatus } from './states';
import { recheckMsOf } from './verification';

/** After so many windows without proof, people have to look. */
const WINDOWS_FOR_A_HUMAN = 3;

/**
 * Returns how a verification ends whose window is over: none yet if its checks haven't passed after it,
 * because time without results proves nothing. Checks that fail bring the incident back; checks that give no
 * result for some windows need a human. Alerts and findings of chains without any check are taken at their word,
 * and the event says so.
 *
 * @param verifyMs the window, in milliseconds
 * @param failures after how many results a check fails
 */
export async function endOfVerification(
  db: TenantDb,
  incident: IncidentIn<'verifying'>,
  { verifyMs, failures }: { verifyMs: number; failures: number },
  now: Date,
): Promise<IncidentEvent[]> {
  const end = incident.verifyingSince.getTime() + verifyMs;
  const ids = idsOf(incident);
  const checks = await listUnproven(db, ids, new Date(end));
  if (checks.length === 0) {
    const checked = await listCheckedServices(db, ids);
    const isFinding = presentServices(incident).some(({ serviceId }) => !checked.has(serviceId));
    if (isFinding) return [{ kind: 'alerts_quiet', isFinding }];
    const isReported = incident.alerts !== null && checked.size === 0;
    return [{ kind: isReported ? 'alerts_quiet' : 'verified' }];
  }
  const recheckMs = recheckMsOf(await longestInterval(db, ids), failures);
  const overdueAt = end + Math.max((WINDOWS_FOR_A_HUMAN - 1) * verifyMs, recheckMs);
  return withoutProof(checks, now.getTime() >= overdueAt, now);
}

/** Returns what follows from checks that prove nothing. Pure. */
export function withoutProof(
  checks: readonly UnprovenCheck[],
  isOverdue: boolean,
  now: Date,
): IncidentEvent[] {
  const failing = FAILING_STATUSES.toReversed().flatMap((status) =>
    checks.filter((check) => check.status === status).map((check) => ({ ...check, status })),
  );
  const worst = new Map<string, (typeof failing)[number]>();
  for (const check of failing) {
    if (!worst.has(check.serviceId)) worst.set(check.serviceId, check);
  }
  if (worst.size > 0) return [...worst.values()].map((check) => failureOf(check, now));
  if (!isOverdue) return [];
  const unproven = checks.map(({ serviceId, service, type }) => ({ serviceId, service, type }));
  return [{ kind: 'needs_human', unproven }];
}

function failureOf(
  { serviceId, service, status, failingSince, error }: UnprovenCheck & { status: FailingStatus },
  now: Date,
): IncidentEvent {
  return {
    ...{ kind: 'service_failing', serviceId, name: service, status, error },
    failingSince: (failingSince ?? now).toISOString(),
  };
}

/**
 * Returns what lets an incident be verified again that has had no proof: the checks have passed since. Null
 * while they haven't. If nothing is left to check, the end of its alerts stands.
 */
export async function returnOfProof(
  db: TenantDb,
  incident: ActiveIncident,
): Promise<IncidentEvent | null> {
  const { needsHuman } = incident;
  const [first] = needsHuman?.unproven ?? [];
  if (!first || !needsHuman || holdsOpen(incident)) return null;
  const ids = idsOf(incident);
  if ((await listUnproven(db, ids, needsHuman.since)).length > 0) return null;
  if ((await listCheckedServices(db, ids)).size === 0) return { kind: 'alerts_quiet' };
  return { kind: 'service_recovered', serviceId: first.serviceId };
}

function idsOf(incident: ActiveIncident | IncidentIn<'verifying'>): string[] {
  return serviceIdsOf({ ...incident, services: presentServices(incident) });
}
