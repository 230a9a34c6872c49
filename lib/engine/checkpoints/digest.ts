/**
 * The text of a checkpoint that the agent did not write itself. Pure: text and counts come from one
 * snapshot.
 */

import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { cutText } from '@/lib/platform/format/text';
import type { CheckpointCounts, CheckpointTrigger } from '@/lib/protocol/checkpoint';

/** What a session did since the previous checkpoint, as its runner saw it. */
export interface SessionSnapshot {
  project: string;
  tier: number;
  counts: CheckpointCounts;
  queries: readonly string[];
  remembered: readonly string[];
  /** Notes of earlier checkpoints, oldest first. Later text never hides them. */
  rememberedBefore: readonly string[];
  /** Commands and other calls, oldest first, each with its outcome. */
  calls: readonly CallSummary[];
  /** The agent's own digest, if it wrote one. Later text never hides it. */
  agentDigest: string | null;
  /** The agent's last text; null before the first. */
  lastText: string | null;
}

export interface CallSummary {
  /** `Bash: docker ps`, `Read: /etc/hosts`. */
  text: string;
  /** `open`: no result yet. */
  outcome: 'ok' | 'failed' | 'denied' | 'open';
}

/** What the hook of a compaction also passes. */
export interface CompactionNote {
  /** `manual` or `auto`. */
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

/**
 * Returns the text of a checkpoint for the start that recovers from it. An agent's own digest is
 * kept unchanged, so its notes are added beside it.
 */
export function wholeDigest(checkpoint: {
  trigger: CheckpointTrigger;
  digest: string;
  remembered: readonly string[];
}): string {
  const { trigger, digest, remembered } = checkpoint;
  const list = trigger === 'agent' ? section('Remembered', remembered.map(item)) : null;
  return list === null ? digest : `${digest}\n\n${list}`;
}

/** Returns the digest as Markdown, without empty sections. */
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
      snapshot.agentDigest === null ? [] : [cutText(snapshot.agentDigest, SHOWN_AGENT_CHARS)],
    ),
    section(
      'Remembered since the last checkpoint',
      snapshot.remembered.map((text) => item(cutText(text, SHOWN_REMEMBERED_CHARS))),
    ),
    section(
      'Remembered before',
      snapshot.rememberedBefore.map((text) => item(cutText(text, SHOWN_REMEMBERED_CHARS))),
    ),
    section('Searches since the last checkpoint', snapshot.queries.map(item)),
    section('Calls since the last checkpoint', snapshot.calls.map(callLine)),
    section(
      'Last words',
      snapshot.lastText === null ? [] : [cutText(snapshot.lastText, SHOWN_TEXT_CHARS)],
    ),
  ]
    .filter((part) => part !== null)
    .join('\n\n');
}

function headOf(title: string, { project, tier, counts }: SessionSnapshot): string {
  return [
    `## ${title}`,
    `Project: ${project}, tier ${tier}`,
    `${formatCounted(counts.prompts, 'prompt')}, ${formatCounted(counts.toolCalls, 'call')}, ${formatCounted(counts.toolResults, 'result')} in ${formatDuration(counts.elapsedMs)}`,
  ].join('\n');
}

function compactionLines(note: CompactionNote | null): string[] {
  if (note === null) return [];
  return [
    `Trigger: ${note.trigger ?? 'unknown'}`,
    ...(note.instructions ? [`Instructions: ${cutText(note.instructions, SHOWN_TEXT_CHARS)}`] : []),
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

/** The agent's own digest, as it passes it to `session_digest`. */
interface AgentDigest {
  summary: string;
  decisions?: readonly string[] | undefined;
  state?: string | undefined;
  blockers?: readonly string[] | undefined;
}

/** Returns the agent's digest as text, unchanged. A summary alone gets no heading. */
export function agentDigest({
  summary,
  decisions = [],
  state,
  blockers = [],
}: AgentDigest): string {
  return [
    summary,
    ...(decisions.length > 0 ? [`### Decisions\n${bullets(decisions)}`] : []),
    ...(state ? [`### State\n${state}`] : []),
    ...(blockers.length > 0 ? [`### Blockers\n${bullets(blockers)}`] : []),
  ].join('\n\n');
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
