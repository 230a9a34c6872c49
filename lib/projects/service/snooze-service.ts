import { recordAudit } from '@/lib/identity/audit/record-audit';
import { checkEndsAt } from '@/lib/identity/pauses/ends-at';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { findService, setSnooze } from '../view/data';
import type { ServiceState } from '../view/schema';
import { toServiceState } from '../view/to-dto';
import { requireProject } from './resolve-project';

const LONGEST_DAYS = 30;

/** Its findings escalate nothing until then. */
export function snoozeService(
  scope: TenantScope,
  service: { project: string; name: string },
  snooze: { until: Date; reason: string },
  now = new Date(),
): Promise<ServiceState> {
  checkEndsAt(snooze.until, now, LONGEST_DAYS, 'until');
  return setSnoozeOf(scope, service, { ...snooze, at: now, by: scope.actor.label }, now);
}

export function wakeService(
  scope: TenantScope,
  service: { project: string; name: string },
  now = new Date(),
): Promise<ServiceState> {
  return setSnoozeOf(scope, service, null, now);
}

function setSnoozeOf(
  scope: TenantScope,
  { project: reference, name }: { project: string; name: string },
  snooze: { at: Date; until: Date; by: string; reason: string } | null,
  now: Date,
): Promise<ServiceState> {
  requireMay(scope, 'service.snooze');
  return inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    const before = await findService(db, project.id, name);
    if (!before) throw new NotFoundError();
    await setSnooze(db, before.id, snooze);
    await recordAudit(db, scope, {
      action: snooze ? 'service.snoozed' : 'service.woken',
      target: encodeId('prj', project.id),
      detail: { service: name, until: snooze?.until, reason: snooze?.reason },
    });
    return toServiceState((await findService(db, project.id, name)) ?? before, now);
  });
}
