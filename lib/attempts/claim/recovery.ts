import { listRecoveryCandidates } from '@/lib/checkpoints/data';
import { chooseRecovery, renderRecovery } from '@/lib/checkpoints/recovery';
import type { StartDecision } from '@/lib/continuity/schema';
import type { TenantDb } from '@/lib/db/tenant-db';
import { createRedactor } from '@/lib/redaction/redactor';
import { workFolder } from '@/lib/runner-protocol/project-folder';
import type { Recovery } from '@/lib/runner-protocol/spec';
import type { TenantScope } from '@/lib/tenancy/scope';
import type { ClaimFacts } from './facts';
import { projectsDirOf } from './posture';

/** What a start gets to read of an earlier session, and which checkpoint it came from. */
export interface StartRecovery {
  section: string;
  recovery: Recovery;
}

/** Null for a start that resumes, where checkpoints are off, and where there is nothing to recover. */
export async function findRecovery(
  db: TenantDb,
  { organizationId }: Pick<TenantScope, 'organizationId'>,
  { mode }: Pick<StartDecision, 'mode'>,
  facts: ClaimFacts,
  now: Date,
): Promise<StartRecovery | null> {
  const settings = facts.live.checkpoints;
  const isResume = mode === 'resume';
  if (isResume || !settings.enabled) return null;
  const { session, project, runner } = facts;
  const ids = { organizationId, projectId: project.id };
  const projectsDir = projectsDirOf(runner.posture);
  const path = projectsDir === null ? null : workFolder(projectsDir, ids);
  const start = { projectId: project.id, sessionId: session.id };
  const { parentSessionId } = session;
  const about = { ...start, parentSessionId, projectPathNormalized: path };
  const candidates = await listRecoveryCandidates(db, organizationId, about, now);
  const chosen = chooseRecovery(
    { settings, isResume, projectPathNormalized: path },
    candidates,
    now,
  );
  if (!chosen) return null;
  const digest = createRedactor({ secrets: [] }).text(chosen.digest);
  const section = renderRecovery({ ...chosen, digest }, settings.recoveryBudgetChars);
  if (section === '') return null;
  const { checkpointId, sessionId, label, lineage, at } = chosen;
  const recovery = { checkpointId, sessionId, label, lineage, at: at.toISOString() };
  return { section, recovery: { ...recovery, chars: section.length } };
}
