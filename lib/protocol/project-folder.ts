import path from 'node:path';

/** The folder of a project below a runner's folder for projects: the same for both sides. */
export function projectFolder(
  projectsDir: string,
  { organizationId, projectId }: { organizationId: string; projectId: string },
): string {
  return path.posix.join(projectsDir, organizationId, projectId);
}

/** Where an agent of the project works. Stable: a conversation is found by it. */
export function workFolder(
  projectsDir: string,
  ids: { organizationId: string; projectId: string },
): string {
  return path.posix.join(projectFolder(projectsDir, ids), 'work');
}
