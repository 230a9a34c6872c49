/** The parts of a prompt about decisions that the agent's conversation waited for. */
import type { RunnerEvent } from '@/lib/protocol/events';
import { shellLine } from '../approvals/words';

export interface DecidedCommand {
  argv: readonly string[];
  cwd: string;
  /** `undecided`: nobody decided in time, or too long ago. */
  decision: 'approved' | 'refused' | 'undecided';
  /** What the person wrote; may be empty. */
  note: string;
}

/** Commands of a long attempt: the newest ones. */
const MAX_COMMANDS = 20;

export function decisionsBlock(decided: readonly DecidedCommand[]): string {
  if (decided.length === 0) return '- Nothing: the request was withdrawn. Nothing was run.';
  return decided
    .map(({ argv, cwd, decision, note }) => {
      const what = `\`${shellLine(argv)}\` in ${cwd}`;
      const why = note === '' ? '' : ` They wrote: ${JSON.stringify(note)}`;
      return `- ${DECISIONS[decision]}: ${what}.${why}`;
    })
    .join('\n');
}

/**
 * Returns what an approval is good for.
 *
 * @param isHeld whether commands can wait for approval on this host
 */
export function approvalTerms(isHeld: boolean): string {
  return isHeld
    ? [
        '- An approval is for exactly that command in exactly that folder, once. With anything changed, approval is requested again.',
        "- Look at the current state before you run it. Don't run it if it is no longer needed.",
      ].join('\n')
    : "- This host can't hold commands for approval now, so it denies them, approved ones too. Don't run them; name them in your report.";
}

const DECISIONS = {
  approved: 'Approved',
  refused: 'Refused, and not run',
  undecided: 'Not decided in time, and not run',
};

/**
 * Returns what became of the commands of the attempt that waited: executed and succeeded, executed and
 * failed, or never executed. An end that isn't known is not taken for any of them.
 *
 * @param events of that attempt
 */
export function commandsBlock(events: readonly RunnerEvent[]): string {
  const commands = new Map<number, string>();
  for (const event of events) {
    if (event.kind !== 'brokered') continue;
    const line = shellLine(event.argv);
    if (event.phase === 'started') commands.set(event.number, `- \`${line}\`: may have run.`);
    if (event.phase === 'refused') {
      commands.set(
        event.number,
        `- \`${line}\`: never executed (${event.refusal?.code ?? 'refused'}).`,
      );
    }
    if (event.phase === 'ended')
      commands.set(event.number, `- \`${line}\`: ${endWords(event.end)}.`);
    if (event.phase === 'left_running')
      commands.set(event.number, `- \`${line}\`: executed, and may still run.`);
  }
  const lines = [...commands.values()].slice(-MAX_COMMANDS);
  if (lines.length === 0) return 'No other command of that process ran outside the sandbox.';
  return `Commands of that process, outside the sandbox:\n${lines.join('\n')}`;
}

function endWords(end: Extract<RunnerEvent, { kind: 'brokered' }>['end']): string {
  if (end === null) return 'may have run';
  if (end.error !== null) return 'never executed, since it couldn’t be started';
  if (end.exitCode === 0) return 'executed, exit code 0';
  if (end.exitCode !== null) return `executed and failed, exit code ${end.exitCode}`;
  return `executed, and ended by ${end.signal ?? 'a signal'}`;
}
