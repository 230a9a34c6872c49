import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import {
  clearServiceStates,
  listRemovedSince,
  listServiceStates,
  saveServiceStates,
} from '@/lib/projects/service-rows';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import type { CheckRow } from './check-data';
import { serviceStateOf } from './check-state';
import { type ServiceChange, servicesChanged } from './domain-events';
import { isPingCheck } from './planned-checks';

/**
 * Stores the states of the services that these checks decide about, and publishes those that changed.
 * Call it last in a transaction.
 *
 * @param checks all checks of the project that run without an agent
 * @returns jobs to enqueue after the commit
 */
export async function settleServices(
  db: TenantDb,
  scope: TenantScope,
  projectId: string,
  checks: readonly CheckRow[],
  now: Date,
): Promise<PendingJob[]> {
  const services = await listServiceStates(db, projectId);
  const changes: ServiceChange[] = [];
  const checksOf = new Map<string, CheckRow[]>();
  for (const check of checks) {
    checksOf.set(check.serviceId, [...(checksOf.get(check.serviceId) ?? []), check]);
  }
  const states = services.flatMap((service) => {
    const own = checksOf.get(service.id);
    if (!own) return [];
    const { status, failingSince } = serviceStateOf(
      own.map((check) => ({ ...check, isWaiting: isPingCheck(check) && check.lastAt === null })),
    );
    const error = own.find((check) => check.status === status)?.lastError ?? '';
    const before = serviceStatusSchema.parse(service.status);
    if (status !== before) {
      const { id: serviceId, name } = service;
      changes.push({ serviceId, name, before, status, failingSince, error });
    }
    const lastCheckedAt = latest(own.map(({ lastAt }) => lastAt));
    return [{ id: service.id, status, failingSince, error, lastCheckedAt }];
  });
  await saveServiceStates(db, states, now);
  if (changes.length === 0) return [];
  return publish(db, scope, servicesChanged, { projectId, changes }, now);
}

function latest(times: readonly (Date | null)[]): Date | null {
  const known = times.flatMap((time) => time?.getTime() ?? []);
  return known.length === 0 ? null : new Date(Math.max(...known));
}

/**
 * Makes services unknown that have lost all of their checks.
 *
 * @param past the project's checks before its configuration changed
 * @param checks those since
 * @param version of the configuration that `past` is from; null: there was none
 * @returns UUIDs of these services, and of those that the project has lost since that version
 */
export async function forgetServices(
  db: TenantDb,
  { projectId, version }: { projectId: string; version: number | null },
  past: readonly Pick<CheckRow, 'serviceId'>[],
  checks: readonly Pick<CheckRow, 'serviceId'>[],
  now: Date,
): Promise<string[]> {
  const checked = new Set(checks.map(({ serviceId }) => serviceId));
  const lost = past.flatMap(({ serviceId }) => (checked.has(serviceId) ? [] : serviceId));
  await clearServiceStates(db, lost, now);
  const removed = await listRemovedSince(db, projectId, version);
  return [...new Set([...lost, ...removed])];
}
