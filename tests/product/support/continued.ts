import { expect } from 'vitest';
import { conversationOf, type Turn } from '../../support/messages-api/conversation';
import type { RecordedRequest } from '../../support/messages-api/recorded-request';

/** What the parent was told and said, its report, then exactly one user message: that prompt. */
export function expectContinued(
  parent: RecordedRequest | undefined,
  child: RecordedRequest | undefined,
  prompt: string,
): void {
  const told = turnsOf(parent);
  const continued = turnsOf(child);
  expect(told.length).toBeGreaterThan(0);
  expect(continued.slice(0, told.length)).toEqual(told);
  const [said, accepted, ...rest] = continued.slice(told.length);
  expect(said).toMatchObject({ role: 'assistant', blocks: [{ name: 'StructuredOutput' }] });
  expect(accepted).toMatchObject({ role: 'user', blocks: [{ type: 'tool_result' }] });
  expect(rest).toEqual([{ role: 'user', blocks: [{ type: 'text', text: prompt }] }]);
}

function turnsOf(request: RecordedRequest | undefined): Turn[] {
  return request === undefined ? [] : conversationOf(request);
}
