import { recordAudit } from '@/lib/identity/audit/record-audit';
import {
  checkEndsAt,
  endPausesInTurn,
  NOT_PAUSED,
  type PauseColumns,
  type PauseInput,
  pausedColumns,
} from '@/lib/identity/pauses';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import type { Tier } from '@/lib/protocol/spec';
import {
  deleteTierPause,
  endProjectPause,
  endTierPause,
  findService,
  insertTierPause,
  listEndedProjectPauses,
  listEndedTierPauses,
  setProjectPause,
  setSnooze,
} from './data';
import { getProject, requireProject } from './manage-project';
import { type ProjectDto, type ServiceState, toServiceState } from './view';

/**
 * Pauses a project: nothing starts until it is resumed or the pause ends; running chains continue.
 * Repeating it changes nothing.
 */
export async function pauseProject(
  scope: TenantScope,
  reference: string,
  pause: PauseInput,
  now = new Date(),
): Promise<ProjectDto> {
  return setPause(scope, reference, pausedColumns(scope, pause, now), now);
}

export function resumeProject(
  scope: TenantScope,
  reference: string,
  now = new Date(),
): Promise<ProjectDto> {
  return setPause(scope, reference, NOT_PAUSED, now);
}

async function setPause(
  scope: TenantScope,
  reference: string,
  columns: PauseColumns,
  now: Date,
): Promise<ProjectDto> {
  requireMay(scope, 'project.pause');
  await inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    if (!(await setProjectPause(db, project.id, columns))) return;
    const { pausedAt, pauseReason: reason, pauseEndsAt: endsAt } = columns;
    await recordAudit(db, scope, {
      action: pausedAt ? 'project.paused' : 'project.resumed',
      target: encodeId('prj', project.id),
      detail: { name: project.name, ...(pausedAt ? { reason, endsAt } : {}) },
    });
  });
  return getProject(scope, reference, now);
}

/**
 * Pauses a tier: none of its attempts starts until it is resumed or the pause ends; with tier 1
 * paused, no chain starts. Repeating it changes nothing.
 */
export async function pauseTier(
  scope: TenantScope,
  { project: reference, tier }: { project: string; tier: Tier },
  pause: PauseInput,
  now = new Date(),
): Promise<ProjectDto> {
  requireMay(scope, 'tier.pause');
  const columns = pausedColumns(scope, pause, now);
  await inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    const about = { projectId: project.id, tier };
    if (!(await insertTierPause(db, { ...about, ...columns }))) return;
    await recordAudit(db, scope, {
      action: 'tier.paused',
      target: encodeId('prj', project.id),
      projectId: project.id,
      detail: { name: project.name, tier, reason: pause.reason, endsAt: columns.pauseEndsAt },
    });
  });
  return getProject(scope, reference, now);
}

export async function resumeTier(
  scope: TenantScope,
  { project: reference, tier }: { project: string; tier: Tier },
  now = new Date(),
): Promise<ProjectDto> {
  requireMay(scope, 'tier.pause');
  await inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    if (!(await deleteTierPause(db, project.id, tier))) return;
    await recordAudit(db, scope, {
      action: 'tier.resumed',
      target: encodeId('prj', project.id),
      projectId: project.id,
      detail: { name: project.name, tier },
    });
  });
  return getProject(scope, reference, now);
}

/**
 * Ends the pauses of projects and tiers whose time is over.
 *
 * @returns how many
 */
export async function endProjectPauses(now = new Date()): Promise<number> {
  const projects = await endPausesInTurn(
    { action: 'project.resumed', prefix: 'prj' },
    await listEndedProjectPauses(now),
    (db, { id }) => endProjectPause(db, id, now),
  );
  const tiers = await endPausesInTurn(
    { action: 'tier.resumed', prefix: 'prj' },
    await listEndedTierPauses(now),
    (db, pause) => endTierPause(db, pause, now),
  );
  return projects + tiers;
}

const LONGEST_DAYS = 30;

/** Snoozes a service: it doesn't escalate until then. */
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
