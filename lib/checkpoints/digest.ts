/** The words of a checkpoint that the agent did not write itself. Pure: text and counts come from one snapshot. */
import { formatDuration } from '../format/duration';
import type { CheckpointCounts, CheckpointTrigger } from './schema';

/** What a session did since the checkpoint before, as its runner saw it. */
export interface SessionSnapshot {
  project: string;
  tier: number;
  counts: CheckpointCounts;
  queries: readonly string[];
  remembered: readonly string[];
  /** Commands and other calls, oldest first, each with how it ended. */
  calls: readonly CallSummary[];
  /** Its own digest, if it wrote one: nothing that is written later may hide it. */
  agentDigest: string | null;
  /** The agent's last words; null before it has said anything. */
  lastText: string | null;
}

export interface CallSummary {
  /** `Bash: docker ps`, `Read: /etc/hosts`. */
  text: string;
  /** open: no result yet. */
  outcome: 'ok' | 'failed' | 'denied' | 'open';
}

/** What the hook of a compaction passes besides. */
export interface CompactionNote {
  /** manual, auto */
  trigger: string | null;
  instructions: string | null;
}

const TITLES: Record<Exclude<CheckpointTrigger, 'agent'>, string> = {
  periodic: 'Session checkpoint',
  explicit: 'Session checkpoint, asked for by an operator',
  pre_compaction: 'Checkpoint before compaction',
  session_end: 'Checkpoint at the end',
};
const SHOWN_REMEMBERED_CHARS = 120;
const SHOWN_AGENT_CHARS = 1_000;
const SHOWN_TEXT_CHARS = 600;

/** Markdown. Empty sections are left out. */
export function composeDigest(
  trigger: Exclude<CheckpointTrigger, 'agent'>,
  snapshot: SessionSnapshot,
  compaction: CompactionNote | null = null,
): string {
  return [
    headOf(TITLES[trigger], snapshot),
    section('Compaction', compactionLines(compaction)),
    section(
      'The agent’s own digest',
      snapshot.agentDigest === null ? [] : [cut(snapshot.agentDigest, SHOWN_AGENT_CHARS)],
    ),
    section(
      'Remembered since the last checkpoint',
      snapshot.remembered.map((text) => item(cut(text, SHOWN_REMEMBERED_CHARS))),
    ),
    section('Searches since the last checkpoint', snapshot.queries.map(item)),
    section('Calls since the last checkpoint', snapshot.calls.map(callLine)),
    section(
      'Last words',
      snapshot.lastText === null ? [] : [cut(snapshot.lastText, SHOWN_TEXT_CHARS)],
    ),
  ]
    .filter((part) => part !== null)
    .join('\n\n');
}

function headOf(title: string, { project, tier, counts }: SessionSnapshot): string {
  return [
    `## ${title}`,
    `Project: ${project}, tier ${tier}`,
    `${counted(counts.prompts, 'prompt')}, ${counted(counts.toolCalls, 'call')}, ${counted(counts.toolResults, 'result')} in ${formatDuration(counts.elapsedMs)}`,
  ].join('\n');
}

function compactionLines(note: CompactionNote | null): string[] {
  if (note === null) return [];
  return [
    `Trigger: ${note.trigger ?? 'unknown'}`,
    ...(note.instructions ? [`Instructions: ${note.instructions}`] : []),
  ];
}

function section(title: string, lines: readonly string[]): string | null {
  return lines.length > 0 ? `### ${title}\n${lines.join('\n')}` : null;
}

function callLine({ text, outcome }: CallSummary): string {
  return item(
    outcome === 'ok' ? text : `${text} (${outcome === 'open' ? 'still running' : outcome})`,
  );
}

function item(text: string): string {
  return `- ${text.replaceAll(/\s+/g, ' ')}`;
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1)}…`;
}

function counted(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
