import { describe, expect, it } from 'vitest';
import { endsSoon, isEnded, tokensSentence } from './token-table';

const now = new Date('2026-11-21T15:00:00Z');
const lasting = { expiresAt: '2027-02-19T15:00:00Z', revokedAt: null };
const endless = { expiresAt: null, revokedAt: null };
const soon = { expiresAt: '2026-11-28T15:00:00Z', revokedAt: null };
const expired = { expiresAt: '2026-11-21T15:00:00Z', revokedAt: null };
const revoked = { ...lasting, revokedAt: '2026-11-20T15:00:00Z' };

describe('a token', () => {
  it.each([
    [false, lasting],
    [false, endless],
    [true, expired],
    [true, revoked],
  ])('has ended: %s for %j', (ended, token) => {
    expect(isEnded(token, now)).toBe(ended);
  });

  it.each([
    [false, lasting],
    [false, endless],
    [true, soon],
  ])('ends soon: %s for %j', (near, token) => {
    expect(endsSoon(token, now)).toBe(near);
  });
});

describe('all tokens in one sentence', () => {
  it.each([
    ['No valid tokens: nothing can call the API.', [expired, revoked]],
    ['1 token is valid. None of them expires within 7 days.', [lasting, revoked]],
    [
      '2 tokens are valid. 1 expires within 7 days. Create a replacement before then.',
      [endless, soon],
    ],
    ['2 tokens are valid. 2 expire within 7 days. Create a replacement before then.', [soon, soon]],
  ])('%s', (sentence, tokens) => {
    expect(tokensSentence(tokens, now)).toBe(sentence);
  });
});
