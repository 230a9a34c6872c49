import { describe, expect, it } from 'vitest';
import { ATTEMPT_ENDS, type AttemptEnd } from '@/lib/agents/attempt-end';
import { afterSilence, isContinuationRefused, type SilenceFacts } from './silence';
import type { ToolCallFact } from './tool-calls';

const ran: ToolCallFact = {
  tool: 'Bash',
  isOurs: false,
  input: { command: 'ls' },
  result: { denied: false },
};
const FACTS: SilenceFacts = {
  hasConversation: true,
  isCallInterrupted: false,
  toolCalls: [ran],
  eventLog: 'complete',
  hasContinued: false,
  wasSilentBefore: false,
};

describe('[ENG-5.5] a silence', () => {
  it.each<[string, Partial<SilenceFacts>, ReturnType<typeof afterSilence>]>([
    ['continues where every call has ended', {}, 'continue'],
    ['continues without any call', { toolCalls: [] }, 'continue'],
    [
      'continues after a refused call',
      { toolCalls: [{ ...ran, result: { denied: true } }] },
      'continue',
    ],
    [
      'does not continue where a call is open',
      { toolCalls: [ran, { ...ran, result: null }] },
      null,
    ],
    ['does not continue where a call was interrupted', { isCallInterrupted: true }, null],
    ['does not continue where events are missing', { eventLog: 'incomplete' }, null],
    ['does not continue where nothing ran', { eventLog: 'not_started' }, null],
    ['does not continue without a conversation', { hasConversation: false }, null],
    ['does not continue where the first silence was retried', { wasSilentBefore: true }, null],
    ['is the last one once it was continued', { hasContinued: true }, 'spent'],
    [
      'is the last one once it was continued, whatever is open',
      { hasContinued: true, wasSilentBefore: true, toolCalls: [{ ...ran, result: null }] },
      'spent',
    ],
  ])('%s', (_, changes, follows) => {
    expect(afterSilence('stalled', { ...FACTS, ...changes })).toBe(follows);
  });

  it.each(ATTEMPT_ENDS.filter((end): end is AttemptEnd => end !== 'stalled'))(
    'is not %s',
    (end) => {
      expect(afterSilence(end, FACTS)).toBeNull();
      expect(afterSilence(end, { ...FACTS, hasContinued: true })).toBeNull();
    },
  );
});

it.each([
  ['continue', 'refuse', 'UNREACHABLE', true],
  ['continue', 'refuse', 'CONTINUE_SPENT', false],
  ['continue', 'resume', 'OK_CONTINUE', false],
  ['ask', 'refuse', 'POLICY_DENIED', false],
] as const)(
  'an attempt to %s, decided as %s by %s: refused %s',
  (purpose, mode, reason, refused) => {
    expect(isContinuationRefused({ purpose }, { mode, reason })).toBe(refused);
  },
);
