/** What each agent has seen of a conversation, and whose view an edit changes. */

/** A turn that is in the history: not cut. */
export interface HistoryTurn {
  id: string;
  agent: string;
}

/** What an agent's own conversation holds: the turns after the last one of another agent. */
export function visibleSlice<Turn extends HistoryTurn>(
  history: readonly Turn[],
  agent: string,
): readonly Turn[] {
  const lastOther = history.findLastIndex((turn) => turn.agent !== agent);
  return history.slice(lastOther + 1);
}

/**
 * The agents whose view differs before and after an edit, a retry or a cut; in the order in which
 * they first spoke. A turn at the boundary of a slice belongs to another agent than the slice does.
 */
export function agentsAffected(
  before: readonly HistoryTurn[],
  after: readonly HistoryTurn[],
): string[] {
  const agents = [...new Set([...before, ...after].map((turn) => turn.agent))];
  return agents.filter((agent) => !isSame(visibleSlice(before, agent), visibleSlice(after, agent)));
}

function isSame(left: readonly HistoryTurn[], right: readonly HistoryTurn[]): boolean {
  return left.length === right.length && left.every(({ id }, index) => id === right[index]?.id);
}
