import { createHash } from 'node:crypto';

/**
 * Returns what stands for the checks of a runner: it differs whenever they or their runner do.
 *
 * @returns null for none
 */
export function planDigest(
  assignments: readonly { projectId: string; epoch: number }[],
): string | null {
  if (assignments.length === 0) return null;
  const said = assignments.map(({ projectId, epoch }) => `${projectId} ${epoch}`).join('\n');
  return createHash('sha256').update(said).digest('hex').slice(0, 16);
}
