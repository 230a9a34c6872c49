import { toPauseDto } from '@/lib/identity/pauses/schema';
import { encodeId } from '@/lib/platform/ids';
import { tierSchema } from '@/lib/protocol/spec';
import { projectConfigSchema } from '../schema';
import type { AroundProjects, ProjectRow } from './data';
import { type ProjectDto, type ServiceState, serviceStateSchema } from './schema';

export function toProjectDto(row: ProjectRow, around: AroundProjects, now: Date): ProjectDto {
  const version = around.versions.find(
    (each) => each.projectId === row.id && each.version === row.currentVersion,
  );
  const live = around.liveChains.find((chain) => chain.projectId === row.id);
  return {
    id: encodeId('prj', row.id),
    slug: row.slug,
    name: row.name,
    ...projectConfigSchema.parse(version?.config),
    version: row.currentVersion,
    createdAt: row.createdAt.toISOString(),
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    pause: toPauseDto(row),
    tierPauses: around.tierPauses
      .filter((pause) => pause.projectId === row.id)
      .flatMap((pause) => {
        const said = toPauseDto(pause);
        return said ? [{ tier: tierSchema.parse(pause.tier), ...said }] : [];
      }),
    serviceStates: around.services
      .filter((service) => service.projectId === row.id)
      .map((service) => toServiceState(service, now)),
    liveChain: live
      ? { id: encodeId('chn', live.id), number: live.number, status: live.status }
      : null,
  };
}

export function toServiceState(
  service: AroundProjects['services'][number],
  now: Date,
): ServiceState {
  const { snoozedUntil } = service;
  return {
    name: service.name,
    status: serviceStateSchema.shape.status.parse(service.status),
    statusSince: service.statusSince?.toISOString() ?? null,
    lastCheckedAt: service.lastCheckedAt?.toISOString() ?? null,
    lastError: service.lastError,
    snooze:
      snoozedUntil && snoozedUntil > now
        ? {
            at: service.snoozedAt?.toISOString() ?? null,
            until: snoozedUntil.toISOString(),
            by: service.snoozedBy ?? '',
            reason: service.snoozeReason ?? '',
          }
        : null,
  };
}
