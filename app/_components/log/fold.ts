import { isDeniedCommand } from '@/lib/protocol/denied-command';
import type { CallItem, LogRow } from './log-rows';

const HEAD_LINES = 3;
const TAIL_LINES = 12;

interface FoldedLines {
  head: readonly string[];
  /** How many stand between head and tail; 0 when all are shown. */
  hiddenCount: number;
  tail: readonly string[];
}

/** The first 3 and last 12 lines. One hidden line would save nothing, so it is shown. */
export function foldLines(lines: readonly string[]): FoldedLines {
  const hiddenCount = lines.length - HEAD_LINES - TAIL_LINES;
  if (hiddenCount < 2) return { head: lines, hiddenCount: 0, tail: [] };
  return { head: lines.slice(0, HEAD_LINES), hiddenCount, tail: lines.slice(-TAIL_LINES) };
}

/** The lines of an output, without the empty one after a last newline. */
export function outputLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Whether the words stand in lines that are folded away. */
export function hasFoldedMatch(lines: readonly string[], words: string): boolean {
  const wanted = words.trim().toLowerCase();
  if (wanted === '' || foldLines(lines).hiddenCount === 0) return false;
  return lines.slice(HEAD_LINES, -TAIL_LINES).some((line) => line.toLowerCase().includes(wanted));
}

export type CallEnd = 'pending' | 'ok' | 'failed' | 'denied';

export function callEnd(call: CallItem): CallEnd {
  if (!call.result) return 'pending';
  if (call.result.denied) return 'denied';
  const exitCode = call.result.exitCode ?? 0;
  return call.result.isError || exitCode !== 0 ? 'failed' : 'ok';
}

/** A call is open when something is to be seen in it, or when it is the last one. */
export function isOpenByDefault(call: CallItem, isLast: boolean): boolean {
  return isLast || ['failed', 'denied'].includes(callEnd(call));
}

/** Whether a row is a command that the command broker denied. Calls that were denied are in the row of their request. */
export function isDeniedRow(row: LogRow): boolean {
  return row.type === 'meta' && row.event.kind === 'brokered' && isDeniedCommand(row.event);
}
