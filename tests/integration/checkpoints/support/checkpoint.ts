/** Checkpoints as a runner sends them, and what became of them. */

import { recordHeartbeat } from '@/lib/engine/directives';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { CheckpointEvent } from '@/lib/protocol/events';
import { workFolder } from '@/lib/protocol/project-folder';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import type { Cast } from '@/tests/support/cast/organization';

/** The folder for projects of a test runner's host. */
export const PROJECTS_DIR = '/srv/runner/projects';

/** Where an agent of the cast's project works. */
export function workDirOf({ alice, projectId }: Pick<Cast, 'alice' | 'projectId'>): string {
  return workFolder(PROJECTS_DIR, { organizationId: alice.organizationId, projectId }, 'off');
}

export function checkpoint(
  digest: string,
  path: string,
  changes: Partial<CheckpointEvent> = {},
): CheckpointEvent {
  return {
    kind: 'checkpoint',
    trigger: 'periodic',
    digest,
    counts: { prompts: 1, toolCalls: 10, toolResults: 9, elapsedMs: 60_000 },
    queries: [],
    remembered: [],
    projectPath: path,
    projectPathNormalized: path,
    hookSessionId: null,
    ...changes,
  };
}

/** The runner says where its projects are, as a real one does. */
export function tellCapabilities(
  runner: TenantScope,
  now = new Date(),
  projectsDir = PROJECTS_DIR,
) {
  const capabilities = { ...TEST_CAPABILITIES, projectsDir };
  return recordHeartbeat(runner, { protocol: 1, capabilities, running: [] }, now);
}

/** In the order in which they were stored. */
export function storedCheckpoints(scope: TenantScope, sessionId: string) {
  return inTransaction(scope, (db) =>
    db.checkpoint.findMany({ where: { sessionId }, orderBy: { seq: 'asc' } }),
  );
}
