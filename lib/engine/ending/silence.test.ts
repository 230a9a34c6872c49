import { describe, expect, it } from 'vitest';
import { silenceFacts } from './silence';

type Classified = Parameters<typeof silenceFacts>[0];
type Attempt = Parameters<typeof silenceFacts>[1];

const SILENT: Classified = { end: 'stalled', pointer: 'kept', isCallInterrupted: false };
const ATTEMPT: Attempt = {
  isContinuation: false,
  events: [],
  harness: 'claude',
  reported: { startError: null, exit: { code: null, signal: 'SIGTERM' }, lastSeq: 3 },
  earlier: [],
};
const facts = (attempt: Partial<Attempt> = {}, classified: Partial<Classified> = {}) =>
  silenceFacts({ ...SILENT, ...classified }, { ...ATTEMPT, ...attempt });
const crashed = { end: 'crashed', isContinuation: false } as const;

describe('[ENG-5.5] the facts about a silence', () => {
  it.each([
    ['kept', true],
    ['retired', false],
    ['none', false],
  ] as const)('a pointer that is %s: a conversation: %s', (pointer, hasConversation) => {
    expect(facts({}, { pointer }).hasConversation).toBe(hasConversation);
  });

  it.each<[boolean, Partial<Attempt>]>([
    [false, { earlier: [crashed] }],
    [true, { isContinuation: true }],
    [true, { earlier: [{ ...crashed, isContinuation: true }, crashed] }],
  ])('continued before: %s for %j', (hasContinued, attempt) => {
    expect(facts(attempt).hasContinued).toBe(hasContinued);
  });

  it.each<[boolean, Partial<Attempt>]>([
    [false, { earlier: [crashed, { ...crashed, end: null }] }],
    [true, { earlier: [{ ...crashed, end: 'stalled' }, crashed] }],
  ])('silent before: %s for %j', (wasSilentBefore, attempt) => {
    expect(facts(attempt).wasSilentBefore).toBe(wasSilentBefore);
  });

  it('knows how much was seen, and whether a call was interrupted', () => {
    expect(facts()).toMatchObject({ eventLog: 'complete', isCallInterrupted: false });
    expect(facts({ reported: null }).eventLog).toBe('incomplete');
    expect(facts({}, { isCallInterrupted: true }).isCallInterrupted).toBe(true);
  });
});
