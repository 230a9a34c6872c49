/** Reads stored configurations, also those of versions whose tiers had an isolation each. */
import { z } from 'zod';
import type { Isolation } from '@/lib/protocol/confinement';
import { type ProjectConfig, projectConfigSchema } from './schema';
import { joinThresholds, type ThresholdRow } from './thresholds';

const olderSchema = z.object({
  isolation: z.undefined().optional(),
  tiers: z.array(z.object({ isolation: z.string().optional() })),
});

/** Reads a row of `project_version` with its thresholds. @throws ZodError if it is no configuration */
export function readVersion(row: {
  config: unknown;
  thresholds: readonly ThresholdRow[];
}): ProjectConfig {
  return readConfig(joinThresholds(row));
}

/** @throws ZodError if it is no configuration of any version */
export function readConfig(stored: unknown): ProjectConfig {
  const older = olderSchema.safeParse(stored);
  if (!older.success) return projectConfigSchema.parse(stored);
  return projectConfigSchema.parse({ ...Object(stored), isolation: isolationOf(older.data.tiers) });
}

/**
 * Returns the isolation of a project whose tiers had one each. One that was to be confined confines
 * all, because its agents could write where the others ran.
 */
function isolationOf(tiers: readonly { isolation?: string | undefined }[]): Isolation {
  return tiers.some(({ isolation = 'off' }) => isolation !== 'off') ? 'confined' : 'open';
}
