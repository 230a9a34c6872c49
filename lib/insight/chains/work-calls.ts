import { isOurTool, mayHaveChangedBy } from '@/lib/engine/continuation/tool-calls';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { listBrokeredRows } from './command-data';
import { type CallRow, listCallRows } from './data';
import { inputOf } from './to-dto';

/**
 * Returns the calls of tiers 2 and 3 that may have changed something, and the calls of every tier that
 * were denied, oldest first.
 *
 * @param sessionIds UUIDs
 */
export async function listWorkCalls(
  db: TenantDb,
  sessionIds: readonly string[],
): Promise<{ changing: CallRow[]; denied: CallRow[] }> {
  const calls = await listCallRows(db, sessionIds);
  const brokered = await listBrokeredRows(db, sessionIds);
  const executed = brokered.filter((row) => !row.isDenied);
  return {
    changing: calls
      .filter((row) => row.tier > 1 && mayHaveChanged(row))
      .concat(executed.filter((row) => row.tier > 1))
      .toSorted((one, other) => one.at.getTime() - other.at.getTime()),
    denied: [...calls, ...brokered].filter((row) => row.isDenied),
  };
}

function mayHaveChanged(row: CallRow): boolean {
  return mayHaveChangedBy({
    tool: row.tool,
    isOurs: isOurTool(row.tool, row.harness),
    isConfined: row.isConfined,
    input: inputOf(row),
    result: row.isDenied === null ? null : { denied: row.isDenied },
  });
}
