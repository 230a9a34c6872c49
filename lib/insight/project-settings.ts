import { readHandoff } from '@/lib/engine/continuation/handoff/sanitize';
import { ownTask } from '@/lib/engine/prompts/start-prompt';
import { chainTriggerSchema } from '@/lib/engine/statuses';
import { startRequestSentence } from '@/lib/engine/triggers';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { InvalidError } from '@/lib/platform/errors';
import { requireProject } from '@/lib/projects/manage-project';
import { getConfig } from '@/lib/projects/project-rows';
import { ownPromptProblem } from '@/lib/projects/prompts';
import { namesOfServices } from '@/lib/projects/service-names';
import type { Tier } from '@/lib/protocol/spec';
import { findLastStart, listContextShares } from './project-settings-data';

export interface PromptPreview {
  text: string;
  /** The chain whose values stand in it; null: no such session has run, and they are examples. */
  chainNumber: number | null;
}

/**
 * Returns a tier's own prompt with the values of its last start.
 *
 * @throws InvalidError for the field `body` when it uses an unknown input
 */
export function previewPrompt(
  scope: TenantScope,
  { project: reference, tier, body }: { project: string; tier: Tier; body: string },
): Promise<PromptPreview> {
  const problem = ownPromptProblem(tier, body);
  if (problem) throw new InvalidError(problem, { body: problem });
  return inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    const last = await findLastStart(db, project.id, tier);
    const { services } = await getConfig(db, project.id, project.currentVersion);
    const affected = last?.handoff
      ? readHandoff(last.handoff, namesOfServices(services)).services_affected
      : namesOfServices(services.slice(0, 1));
    const request =
      last && startRequestSentence(chainTriggerSchema.parse(last.chain.trigger), last.chain.prompt);
    const facts = { project: project.name, affected, request };
    return { text: ownTask(body, facts), chainNumber: last?.chain.number ?? null };
  });
}

const DAYS = 30;

/**
 * Returns the context use at each escalation of the last 30 days, as shares of the window; null:
 * unknown.
 */
export function getContextShares(
  scope: TenantScope,
  projectId: string,
  now = new Date(),
): Promise<(number | null)[]> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  return inTransaction(scope, (db) => listContextShares(db, projectId, since));
}
