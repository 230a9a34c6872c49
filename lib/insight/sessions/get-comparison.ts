import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import type { FieldChange } from '@/lib/projects/difference';
import { compareVersions } from '@/lib/projects/versions';
import { type ComparedCommand, compareCommands } from './compare-commands';
import { listCommands } from './data';
import { getSession } from './get-session';
import type { SessionDetail } from './schema';

const MOST_COMMANDS = 1_000;

export interface SessionComparison {
  first: SessionDetail;
  second: SessionDetail;
  commands: ComparedCommand[];
  /** Commands of each session that were read; a longer log was cut there. */
  commandCounts: readonly [number, number];
  isCut: boolean;
  /** From the first session's version to the second's; empty for the same version. */
  changes: FieldChange[];
}

/** Returns two sessions of a project side by side. Throws NotFoundError where one isn't there. */
export async function getComparison(
  scope: TenantScope,
  project: string,
  numbers: readonly [number, number],
): Promise<SessionComparison> {
  const first = await getSession(scope, { project, number: numbers[0] });
  const second = await getSession(scope, { project, number: numbers[1] });
  const read = await inTransaction(scope, async (db) => {
    const of = ({ id }: SessionDetail) =>
      listCommands(db, scope.organizationId, requireId('ses', id), MOST_COMMANDS);
    return [await of(first), await of(second)] as const;
  });
  const changes =
    first.version === second.version
      ? []
      : await compareVersions(scope, { project, from: first.version, to: second.version });
  return {
    first,
    second,
    commands: compareCommands(...read),
    commandCounts: [read[0].length, read[1].length],
    isCut: read.some(({ length }) => length === MOST_COMMANDS),
    changes,
  };
}
