import path from 'node:path';
import type { StartIsolation } from './confinement';

/** The folder of a project below a runner's folder for projects: the same for both sides. */
export function projectFolder(
  projectsDir: string,
  { organizationId, projectId }: { organizationId: string; projectId: string },
): string {
  return path.posix.join(projectsDir, organizationId, projectId);
}

/**
 * The folder below which agents of the project work and keep their conversations. Unconfined agents have
 * one of their own: whatever a confined agent has written, links, hooks and settings included, would be
 * the runner's account's to follow and run.
 */
export function agentsFolder(
  projectsDir: string,
  ids: { organizationId: string; projectId: string },
  isolation: StartIsolation,
): string {
  const folder = projectFolder(projectsDir, ids);
  return isolation === 'off' ? path.posix.join(folder, OPEN_FOLDER) : folder;
}

/** Below a project's folder, what belongs to its unconfined agents. */
export const OPEN_FOLDER = 'open';

/** Where an agent of the project works. Stable: a conversation is found by it. */
export function workFolder(
  projectsDir: string,
  ids: { organizationId: string; projectId: string },
  isolation: StartIsolation,
): string {
  return path.posix.join(agentsFolder(projectsDir, ids, isolation), 'work');
}

/** The variable in the environment of every process of an attempt, by which they are recognized. */
export const MARKER_VARIABLE = 'TIERWATCH_ATTEMPT';
