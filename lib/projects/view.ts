/** Projects as shown: the active configuration and the current state. */

import { z } from 'zod';
import { pauseSchema, toPauseDto } from '@/lib/identity/pauses';
import { encodeId } from '@/lib/platform/ids';
import { serviceStatusSchema, tierSchema } from '@/lib/protocol/spec';
import type { AroundProjects, ProjectRow } from './data';
import { readVersion } from './read-config';
import { projectConfigSchema } from './schema';
import { PROJECT_DOCS } from './settings';

const time = z.string();

export const serviceStateSchema = z.object({
  name: z.string().meta({ description: 'Name of the service, as in the project.' }),
  status: serviceStatusSchema,
  statusSince: time.nullable(),
  lastCheckedAt: time.nullable(),
  lastError: z.string(),
  /** `at` is null for one that began before its time was kept. */
  snooze: z
    .object({
      at: time.nullable(),
      until: time.meta({ description: 'When it ends automatically, ISO 8601.' }),
      by: z.string(),
      reason: z.string().meta({ description: 'Shown next to who did it and when.' }),
    })
    .nullable(),
});
export type ServiceState = z.infer<typeof serviceStateSchema>;

export const projectDtoSchema = z
  .object({
    /** `prj_…` */
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    ...projectConfigSchema.shape,
    /** Of the configuration; raised by every save. */
    version: z.number().int(),
    createdAt: time,
    nextRunAt: time.nullable(),
    pause: pauseSchema.nullable(),
    tierPauses: z.array(pauseSchema.extend({ tier: tierSchema })),
    /** In the order of the configuration. */
    serviceStates: z.array(serviceStateSchema),
    /** The chain that has not ended. */
    liveChain: z
      .object({ id: z.string(), number: z.number().int(), status: z.string() })
      .nullable(),
  })
  .meta({ fields: PROJECT_DOCS });
export type ProjectDto = z.infer<typeof projectDtoSchema>;

/** A project after a save. */
export const savedProjectSchema = projectDtoSchema
  .extend({
    warnings: z.array(z.string()).default([]).meta({
      description:
        'Rules that allow nothing, or more than before, because of what checks name. One sentence each.',
    }),
  })
  .meta({ fields: PROJECT_DOCS });
export type SavedProjectDto = z.infer<typeof savedProjectSchema>;

export const projectRefSchema = z.object({ id: z.string(), slug: z.string(), name: z.string() });

export function toProjectDto(row: ProjectRow, around: AroundProjects, now: Date): ProjectDto {
  const version = around.versions.find(
    (each) => each.projectId === row.id && each.version === row.currentVersion,
  );
  if (!version) throw new Error('The project has no current version.');
  const live = around.liveChains.find((chain) => chain.projectId === row.id);
  return {
    id: encodeId('prj', row.id),
    slug: row.slug,
    name: row.name,
    ...readVersion(version),
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
