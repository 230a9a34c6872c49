import { listRecoveryCandidates } from '@/lib/engine/checkpoints/data';
import { chooseRecovery } from '@/lib/engine/checkpoints/recovery';
import type { StartDecision } from '@/lib/engine/continuation/schema';
import { projectsDirOf } from '@/lib/fleet/posture';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { workFolder } from '@/lib/protocol/project-folder';
import type { Recovery } from '@/lib/protocol/spec';
import type { ClaimFacts } from './facts';
import { startRecovery } from './recovery';

/**
 * What a start recovers from checkpoints; null for one that resumes, for a chain that was asked to
 * start fresh, where checkpoints are off, and where there is nothing to recover.
 */
export async function findRecovery(
  db: TenantDb,
  { organizationId }: Pick<TenantScope, 'organizationId'>,
  { mode }: Pick<StartDecision, 'mode'>,
  { live, chain, session, project, runner }: ClaimFacts,
  now: Date,
): Promise<Recovery | null> {
  const settings = live.checkpoints;
  const isResume = mode === 'resume';
  if (isResume || chain.isForceFresh || !settings.enabled) return null;
  const projectsDir = projectsDirOf(runner.posture);
  const ids = { organizationId, projectId: project.id };
  const projectPathNormalized = projectsDir === null ? null : workFolder(projectsDir, ids);
  const { id: sessionId, parentSessionId } = session;
  const candidates = await listRecoveryCandidates(
    db,
    organizationId,
    { projectId: project.id, sessionId, parentSessionId, projectPathNormalized },
    now,
  );
  const chosen = chooseRecovery({ settings, isResume, projectPathNormalized }, candidates, now);
  return chosen && startRecovery(chosen, settings);
}
