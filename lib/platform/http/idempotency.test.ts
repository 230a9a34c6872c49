import { describe, expect, it } from 'vitest';
import { ABANDONED_MS, decideRepeat, KEPT_MS } from './idempotency';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const answer = { status: 201, body: { id: 'x' } };

describe('a repeated key', () => {
  it.each<[string, string, Date, typeof answer | null, string, string?]>([
    ['answered', 'a', ago(1_000), answer, 'replay'],
    ['answered a day ago', 'a', ago(KEPT_MS), answer, 'replay'],
    ['older than a day', 'a', ago(KEPT_MS + 1), answer, 'take_over'],
    ['older than a day, other body', 'b', ago(KEPT_MS + 1), answer, 'take_over'],
    ['other body', 'b', ago(1_000), answer, 'other_body'],
    ['other body, running', 'b', ago(1_000), null, 'other_body'],
    ['running', 'a', ago(ABANDONED_MS), null, 'still_running'],
    ['carried out, not answered', 'a', ago(1_000), null, 'carried_out', 'chn_x'],
    ['carried out, long ago', 'a', ago(ABANDONED_MS + 1), null, 'carried_out', 'chn_x'],
    ['carried out, other body', 'b', ago(1_000), null, 'other_body', 'chn_x'],
    ['carried out and answered', 'a', ago(1_000), answer, 'replay', 'chn_x'],
    ['carried out more than a day ago', 'a', ago(KEPT_MS + 1), null, 'take_over', 'chn_x'],
    ['abandoned', 'a', ago(ABANDONED_MS + 1), null, 'take_over'],
  ])('%s', (_name, bodyHash, createdAt, given, kind, target) => {
    const earlier = { bodyHash: 'a', createdAt, answer: given, target: target ?? null };
    expect(decideRepeat(earlier, bodyHash, now).kind).toBe(kind);
  });
});
