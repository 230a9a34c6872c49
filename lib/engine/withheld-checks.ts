import { checkRevisionOf } from '@/lib/fleet/capabilities';
import { getRunnerRow } from '@/lib/fleet/runner-rows';
import { runsChecks } from '@/lib/monitoring/checker-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { getConfig, recordCheckResults } from '@/lib/projects/project-rows';
import { shownCheck } from '@/lib/protocol/checks/describe-check';
import { revisionNeeded, runnableChecks } from '@/lib/protocol/checks/revision';
import type { CheckResultEvent } from '@/lib/protocol/events';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { appendSessionEvents } from './events/data';

interface HandedOut {
  /** With the checks that the runner performs. */
  services: ServiceSpec[];
  /** Of those that it is too old for. */
  withheld: CheckResultEvent[];
}

/**
 * Leaves out the checks that a runner is too old to perform as they are configured, and states of each
 * that it couldn't run: a runner ignores what it doesn't know, and would report what it didn't look at.
 */
export function withholdChecks(capabilities: unknown, services: readonly ServiceSpec[]): HandedOut {
  const revision = checkRevisionOf(capabilities);
  const isKnown = (check: CheckSpec) => revisionNeeded(check) <= revision;
  return {
    services: services.map((service) => ({
      ...service,
      checks: runnableChecks(service).filter(isKnown),
    })),
    withheld: services.flatMap((service) =>
      runnableChecks(service)
        .filter((check) => !isKnown(check))
        .map((check) => ({
          kind: 'check_result' as const,
          service: service.name,
          type: check.type,
          target: shownCheck(check),
          status: 'unknown' as const,
          error: 'The runner’s program is too old for this check. Update the runner.',
          responseTimeMs: null,
        })),
    ),
  };
}

/**
 * Returns the withheld checks of the services that an attempt's runner has checked: what it could look at
 * says nothing about the rest of a service.
 *
 * @param version of the configuration that the chain froze
 */
export async function withheldOf(
  db: TenantDb,
  { runnerId, projectId }: { runnerId: string | null; projectId: string },
  version: number,
  results: readonly CheckResultEvent[],
): Promise<CheckResultEvent[]> {
  if (results.length === 0 || runnerId === null) return [];
  const { services } = await getConfig(db, projectId, version);
  const isOld = services.every(({ checks }) =>
    checks.every((check) => revisionNeeded(check) === 1),
  );
  if (isOld) return [];
  const { capabilities } = await getRunnerRow(db, runnerId);
  const { withheld } = withholdChecks(capabilities, services);
  return withheld.filter(({ service }) => results.some((result) => result.service === service));
}

/** Stores the outcome of withheld checks, as if the attempt had reported it. */
export async function recordWithheld(
  db: TenantDb,
  attempt: { id: string; sessionId: string; projectId: string; chainId: string | null },
  withheld: readonly CheckResultEvent[],
  now: Date,
): Promise<void> {
  if (withheld.length === 0) return;
  const { id, sessionId, projectId, chainId } = attempt;
  appendSessionEvents(
    db,
    sessionId,
    withheld.map((payload) => ({
      attemptId: id,
      attemptSeq: null,
      kind: payload.kind,
      at: now,
      payload,
    })),
  );
  if (!chainId) return;
  const setsState = !(await runsChecks(db, projectId));
  const at = { projectId, chainId, now, setsState };
  recordCheckResults(db, db.organizationId, at, withheld);
}
