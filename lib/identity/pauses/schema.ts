/** What a pause says, wherever it stands: on an organization, a project, a tier or a runner. */
import { z } from 'zod';

/** Its columns, the same in every table. */
export interface PauseColumns {
  pausedAt: Date | null;
  pausedBy: string | null;
  pauseReason: string | null;
  /** When it ends by itself; null: when someone resumes. */
  pauseEndsAt: Date | null;
}

export const pauseSchema = z.object({
  at: z.string(),
  by: z.string(),
  reason: z.string().meta({ description: 'Shown beside who did it and when.' }),
  endsAt: z
    .string()
    .nullable()
    .meta({ description: 'When it ends by itself; null: when somebody ends it.' }),
});
export type PauseDto = z.infer<typeof pauseSchema>;

export interface PauseInput {
  reason: string;
  endsAt?: Date | null;
}

export function toPauseDto(row: PauseColumns): PauseDto | null {
  return (
    row.pausedAt && {
      at: row.pausedAt.toISOString(),
      by: row.pausedBy ?? '',
      reason: row.pauseReason ?? '',
      endsAt: row.pauseEndsAt?.toISOString() ?? null,
    }
  );
}
