/** A search in the page of a very long log, with the browser's own code in the same engine. */

import type { StoredEvent } from '@/app/_components/log/events';
import { appendEvents, emptyLog } from '@/app/_components/log/events';
import { searchRows } from '@/app/_components/log/rows';
import { printResult, spread } from './support/figures';

const EVENTS = 50_000;
const SEARCHES = 40;

/** A text, a call and its result in turn. */
function eventAt(index: number): StoredEvent {
  const at = new Date(Date.UTC(2026, 10, 21) + index * 100).toISOString();
  const of = { seq: index + 1, at };
  const messageId = `m${Math.floor(index / 3)}`;
  const toolUseId = `t${Math.floor(index / 3)}`;
  const parentToolUseId = null;
  if (index % 3 === 0) {
    const text = `I look at service ${index} and what it wrote since this morning.`;
    return { ...of, kind: 'text', messageId, text, parentToolUseId };
  }
  if (index % 3 === 1) {
    const input = { command: `journalctl -u web-${index} --since today | tail -n 50` };
    return { ...of, kind: 'tool_call', messageId, toolUseId, tool: 'Bash', input, parentToolUseId };
  }
  const content = `line ${index}: worker restarted, queue is empty, latency 12 ms\n`.repeat(20);
  const end = { isError: false, denied: false, exitCode: 0, cutBytes: 0 };
  return { ...of, ...end, kind: 'tool_result', toolUseId, content, stdout: content, stderr: '' };
}

const { rows } = appendEvents(
  emptyLog,
  Array.from({ length: EVENTS }, (_, index) => eventAt(index)),
);
const tookMs: number[] = [];
let found = 0;
for (let search = 0; search < SEARCHES; search += 1) {
  const beganAt = performance.now();
  found += searchRows(rows, `restarted, queue ${search % 2 === 0 ? 'is' : 'was'}`).length;
  tookMs.push(performance.now() - beganAt);
}
if (found === 0) throw new Error('The search found nothing.');
printResult({
  title: `Search in a log of ${EVENTS.toLocaleString('en')} events`,
  target: 'under 300 ms',
  figures: { 'matches in the whole log, without drawing': spread(tookMs) },
});
