/** What a database login may do and what guards the tables, as read at the start. */
export interface DatabaseWalls {
  /** What the connection is for, as people know it. */
  use: 'application' | 'system';
  role: string;
  /** A superuser, or one that bypasses row-level security. */
  isUnbound: boolean;
  isOwner: boolean;
  /** Tables with tenants' rows that this login could read without its tenant. */
  openTables: readonly string[];
  /** Views that read with their owner's rights. */
  openViews: readonly string[];
}

/** Why a process must not start on this database: one sentence each, with what to do. Empty: it may. */
export function wallProblems(walls: DatabaseWalls): string[] {
  const problems: string[] = [];
  const login = `The database login "${walls.role}" of the ${walls.use}`;
  const wanted = `Give Tierwatch a login of the role tierwatch_${walls.use === 'application' ? 'app' : 'system'}.`;
  if (walls.isUnbound) {
    problems.push(
      `${login} is a superuser or bypasses row-level security, so the database would not keep tenants apart. ${wanted}`,
    );
  } else if (walls.isOwner) {
    problems.push(`${login} owns tables, so it could switch row-level security off. ${wanted}`);
  }
  if (walls.openTables.length > 0) {
    problems.push(
      `Row-level security does not keep tenants apart for ${login.replace('The', 'the')} in: ${walls.openTables.join(', ')}. Run the migrations, and undo what was changed by hand.`,
    );
  }
  if (walls.openViews.length > 0) {
    problems.push(
      `These views read with the rights of their owner: ${walls.openViews.join(', ')}. Set security_invoker = true on each, or drop it.`,
    );
  }
  return problems;
}
