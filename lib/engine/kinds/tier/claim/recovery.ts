import { listRecoveryCandidates } from '@/lib/engine/checkpoints/data';
import {
  chooseRecovery,
  type RecoveredCheckpoint,
  type RecoveryCandidate,
  renderRecovery,
} from '@/lib/engine/checkpoints/recovery';
import type { StartDecision } from '@/lib/engine/continuation/schema';
import { strictest } from '@/lib/engine/hosts/pool-hosts';
import { projectsDirOf } from '@/lib/fleet/posture';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { CheckpointSettings } from '@/lib/projects/checkpoint-settings';
import { startIsolation } from '@/lib/protocol/confinement';
import { workFolder } from '@/lib/protocol/project-folder';
import type { Recovery } from '@/lib/protocol/spec';
import type { ClaimFacts } from './facts';

/**
 * Returns the section about an earlier session's checkpoint; null if the budget leaves no room for
 * any of its text.
 */
function startRecovery(
  chosen: RecoveryCandidate & RecoveredCheckpoint & { sessionId: string },
  { recoveryBudgetChars }: Pick<CheckpointSettings, 'recoveryBudgetChars'>,
): Recovery | null {
  const section = renderRecovery(redacted(chosen), recoveryBudgetChars);
  if (section === '') return null;
  const { checkpointId, sessionId, label, lineage, at } = chosen;
  return { checkpointId, sessionId, label, lineage, at: at.toISOString(), section };
}

function redacted(checkpoint: RecoveredCheckpoint): RecoveredCheckpoint {
  const { text } = createRedactor({ secrets: [] });
  return {
    ...checkpoint,
    digest: text(checkpoint.digest),
    remembered: checkpoint.remembered.map(text),
  };
}

/**
 * Returns the checkpoint that a start recovers from; null for a start that resumes, for a chain
 * that was forced to start fresh, if checkpoints are off, and if there is none.
 */
export async function findRecovery(
  db: TenantDb,
  { mode }: Pick<StartDecision, 'mode'>,
  { live, frozen, chain, session, project, runner }: ClaimFacts,
  now: Date,
): Promise<Recovery | null> {
  const settings = live.checkpoints;
  const isResume = mode === 'resume';
  if (isResume || chain.isForceFresh || !settings.enabled) return null;
  const projectsDir = projectsDirOf(runner.posture);
  const isolation = startIsolation(strictest([frozen, live]));
  const ids = { organizationId: db.organizationId, projectId: project.id };
  const projectPathNormalized =
    projectsDir === null ? null : workFolder(projectsDir, ids, isolation);
  const { id: sessionId, parentSessionId } = session;
  const candidates = await listRecoveryCandidates(
    db,
    { projectId: project.id, sessionId, parentSessionId, projectPathNormalized },
    now,
  );
  const allowsTainted = session.tier === 1 || frozen.taintedConversation === 'resume';
  const request = { settings, isResume, projectPathNormalized, allowsTainted };
  const chosen = chooseRecovery(request, candidates, now);
  return chosen && startRecovery(chosen, settings);
}
