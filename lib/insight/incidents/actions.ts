/** What agents did in the chains of an incident, and what they were denied. Pure. */

import type { Evidence } from '@/lib/incidents/view';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { CallRow } from '../chains/data';
import { inputOf } from '../chains/to-dto';

export interface IncidentAction {
  at: Date;
  tier: number;
  /** The command, or the tool with the file that it changed; without secrets. */
  what: string;
  isDenied: boolean;
  /** The rule that allowed or denied it, as written; null where none is recorded. */
  rule: string | null;
  /** Why it was denied, as the agent read it; null if it wasn't or nothing is recorded. */
  refusal: string | null;
  /** Null where it is unknown. */
  exitCode: number | null;
  mayStillRun: boolean;
  evidence: Pick<Evidence, 'label' | 'path'>;
}

/**
 * Returns the calls that may have changed something and the denied ones, oldest first.
 *
 * @param rules by the id of the call: `<attempt>/<number>` of a brokered command
 * @param projectRoot `/acme/projects/checkout`
 */
export function toActions(
  { changing, denied }: { changing: readonly CallRow[]; denied: readonly CallRow[] },
  rules: ReadonlyMap<string, { rule: string | null; refusal: string | null }>,
  sessions: readonly { id: string; number: number }[],
  projectRoot: string,
): IncidentAction[] {
  const { text } = createRedactor({ secrets: [] });
  const numbers = new Map(sessions.map(({ id, number }) => [id, number]));
  return [...changing, ...denied]
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map((row) => {
      const known = rules.get(row.toolUseId);
      const number = numbers.get(row.sessionId) ?? 0;
      return {
        ...{ at: row.at, tier: row.tier, what: text(whatOf(row)) },
        isDenied: row.isDenied ?? false,
        rule: known?.rule ?? null,
        refusal: known?.refusal ?? null,
        exitCode: row.exitCode,
        mayStillRun: row.isLeftRunning,
        evidence: {
          label: `Session #${number}`,
          path: `${projectRoot}/sessions/${number}?event=${row.seq}`,
        },
      };
    });
}

function whatOf(row: CallRow): string {
  const input = inputOf(row);
  const word = (key: string) => (typeof input[key] === 'string' ? input[key] : '');
  if (row.tool === 'Bash') return word('command');
  const path = word('file_path') || word('path') || word('notebook_path');
  return path === '' ? row.tool : `${row.tool} ${path}`;
}
