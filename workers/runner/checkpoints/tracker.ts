/** Counts what a session does and keeps the data for its digest. No clock, no timers. */

import type { CallSummary, SessionSnapshot } from '@/lib/engine/checkpoints/digest';
import { cutText } from '@/lib/platform/format/text';
import {
  MAX_QUERIES,
  MAX_QUERY_CHARS,
  MAX_REMEMBERED,
  MAX_REMEMBERED_CHARS,
} from '@/lib/protocol/checkpoint';
import type { RunnerEvent, ToolCallEvent } from '@/lib/protocol/events';

const MAX_CALLS = 10;
const MAX_CALL_CHARS = 160;

/** Of a running process; everything in it has passed the redactor. */
interface Tracker {
  prompt(): void;
  observe(event: RunnerEvent): void;
  remember(text: string): void;
  setAgentDigest(digest: string): void;
  /** Prompts and tool results since the last `consume`. */
  readonly pending: number;
  /** Anything at all since then. */
  readonly hasNews: boolean;
  snapshot(elapsedMs: number): SessionSnapshot;
  /** Marks the snapshot as used; later data belongs to the next one. */
  consume(): void;
}

export function createTracker(about: { project: string; tier: number }): Tracker {
  let prompts = 0;
  let toolCalls = 0;
  let toolResults = 0;
  let pending = 0;
  let hasNews = false;
  let agentDigest: string | null = null;
  let lastText: string | null = null;
  const queries: string[] = [];
  const remembered: string[] = [];
  const rememberedBefore: string[] = [];
  const calls = new Map<string, CallSummary>();

  function called(event: ToolCallEvent): void {
    toolCalls += 1;
    const query = queryOf(event);
    if (query !== null) keep(queries, cutText(query, MAX_QUERY_CHARS), MAX_QUERIES);
    calls.set(event.toolUseId, { text: callText(event), outcome: 'open' });
    const oldest =
      [...calls].find(([, call]) => call.outcome !== 'open')?.[0] ?? [...calls.keys()][0];
    if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
  }

  return {
    prompt() {
      prompts += 1;
      pending += 1;
      hasNews = true;
    },
    observe(event) {
      // A piece of an answer says nothing that its whole text will not say.
      if (['checkpoint', 'command', 'answer_part'].includes(event.kind)) return;
      hasNews = true;
      if (event.kind === 'tool_call') called(event);
      if (event.kind === 'text' && event.text.trim() !== '') lastText = event.text.trim();
      if (event.kind !== 'tool_result') return;
      toolResults += 1;
      pending += 1;
      const call = calls.get(event.toolUseId);
      if (call) call.outcome = event.denied ? 'denied' : event.isError ? 'failed' : 'ok';
    },
    remember(text) {
      hasNews = true;
      keep(remembered, cutText(text.trim(), MAX_REMEMBERED_CHARS), MAX_REMEMBERED);
    },
    setAgentDigest(digest) {
      agentDigest = digest;
    },
    get pending() {
      return pending;
    },
    get hasNews() {
      return hasNews;
    },
    snapshot: (elapsedMs) => ({
      ...about,
      counts: { prompts, toolCalls, toolResults, elapsedMs },
      queries: [...queries],
      remembered: [...remembered],
      rememberedBefore: [...rememberedBefore],
      calls: [...calls.values()].map((call) => ({ ...call })),
      agentDigest,
      lastText,
    }),
    consume() {
      pending = 0;
      hasNews = false;
      queries.length = 0;
      rememberedBefore.push(...remembered.splice(0));
      rememberedBefore.splice(0, rememberedBefore.length - MAX_REMEMBERED);
      for (const [id, call] of calls) if (call.outcome !== 'open') calls.delete(id);
    },
  };
}

/** What a call looks for; null for one that does not search. */
function queryOf({ tool, input }: ToolCallEvent): string | null {
  const field = { Grep: 'pattern', Glob: 'pattern', WebSearch: 'query', ToolSearch: 'query' }[tool];
  const value = field === undefined ? undefined : input[field];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function callText({ tool, input }: ToolCallEvent): string {
  const subject = input.command ?? input.file_path ?? input.service ?? input.pattern ?? input.query;
  return cutText(typeof subject === 'string' ? `${tool}: ${subject}` : tool, MAX_CALL_CHARS);
}

function keep(items: string[], text: string, most: number): void {
  if (text === '') return;
  items.push(text);
  if (items.length > most) items.shift();
}
