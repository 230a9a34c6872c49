/** Who has paused an organization or a project, as far as it keeps something from starting. */
export interface Pausable {
  name: string;
  pausedAt: Date | null;
  pausedBy: string | null;
}

/** The wider one of the two that are paused; null where neither is. */
export function pausedOf({
  organization,
  project,
}: {
  organization: Pausable;
  project: Pausable;
}): { name: string; by: string } | null {
  const row = [organization, project].find(({ pausedAt }) => pausedAt !== null);
  return row ? { name: row.name, by: row.pausedBy ?? 'someone' } : null;
}
