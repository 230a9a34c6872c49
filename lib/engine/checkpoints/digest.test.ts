import { describe, expect, it } from 'vitest';
import { agentDigest, composeDigest, type SessionSnapshot, wholeDigest } from './digest';

const empty: SessionSnapshot = {
  project: 'Checkout',
  tier: 2,
  counts: { prompts: 1, toolCalls: 2, toolResults: 1, elapsedMs: 754_000 },
  queries: [],
  remembered: [],
  rememberedBefore: [],
  calls: [],
  agentDigest: null,
  lastText: null,
};

describe('composeDigest', () => {
  it('[CKP-1.3] says project, counts and elapsed time, and leaves empty sections out', () => {
    expect(composeDigest('periodic', empty)).toBe(
      '## Session checkpoint\nProject: Checkout, tier 2\n1 prompt, 2 calls, 1 result in 12m 34s',
    );
  });

  it.each([
    ['periodic', '## Session checkpoint'],
    ['explicit', '## Session checkpoint, asked for by an operator'],
    ['pre_compaction', '## Checkpoint before compaction'],
    ['session_end', '## Checkpoint at the end'],
  ] as const)('[CKP-1.2] a digest of trigger %s is titled so', (trigger, title) => {
    expect(composeDigest(trigger, empty).split('\n')[0]).toBe(title);
  });

  it('[CKP-1.3] lists searches, remembered items, calls with their ends, and the last words', () => {
    const digest = composeDigest('periodic', {
      ...empty,
      queries: ['refused', 'payments-db'],
      remembered: ['The primary is db-2.'],
      calls: [
        { text: 'Bash: docker ps', outcome: 'ok' },
        { text: 'Bash: docker restart web', outcome: 'denied' },
        { text: 'Bash: false', outcome: 'failed' },
        { text: 'Read: /etc/hosts', outcome: 'open' },
      ],
      lastText: 'The database refuses connections.',
    });
    expect(digest.split('\n\n').slice(1)).toEqual([
      '### Remembered since the last checkpoint\n- The primary is db-2.',
      '### Searches since the last checkpoint\n- refused\n- payments-db',
      '### Calls since the last checkpoint\n- Bash: docker ps\n- Bash: docker restart web (denied)\n- Bash: false (failed)\n- Read: /etc/hosts (still running)',
      '### Last words\nThe database refuses connections.',
    ]);
  });

  it('[CKP-1.3] a compaction adds what its hook passes', () => {
    const about = (note: Parameters<typeof composeDigest>[2]) =>
      composeDigest('pre_compaction', empty, note).split('\n\n')[1];
    expect(about({ trigger: 'manual', instructions: 'Keep the names.' })).toBe(
      '### Compaction\nTrigger: manual\nInstructions: Keep the names.',
    );
    expect(about({ trigger: null, instructions: null })).toBe('### Compaction\nTrigger: unknown');
    expect(about(null)).toBeUndefined();
  });

  it("keeps the agent's own digest in every later one", () => {
    const digest = composeDigest('session_end', { ...empty, agentDigest: 'I restarted web.' });
    expect(digest).toContain('### The agent’s own digest\nI restarted web.');
  });

  it('cuts what is long, and no item breaks its list', () => {
    const digest = composeDigest('periodic', {
      ...empty,
      remembered: ['r'.repeat(200)],
      queries: ['first\n\n### Last words\nsecond'],
      agentDigest: 'a'.repeat(2_000),
      lastText: 't'.repeat(2_000),
    });
    expect(digest).toContain(`- ${'r'.repeat(119)}…\n`);
    expect(digest).toContain('- first ### Last words second\n');
    expect(digest).toContain(`\n${'a'.repeat(999)}…\n`);
    expect(digest.endsWith(`\n${'t'.repeat(599)}…`)).toBe(true);
  });
});

describe('wholeDigest', () => {
  const told = { digest: 'In my own words.', remembered: ['The primary is db-2.'] };

  it("[CKP-2.4] an agent's own digest stands with what it was told to remember", () => {
    expect(wholeDigest({ trigger: 'agent', ...told })).toBe(
      'In my own words.\n\n### Remembered\n- The primary is db-2.',
    );
  });

  it('others say it themselves', () => {
    expect(wholeDigest({ trigger: 'periodic', ...told })).toBe(told.digest);
    expect(composeDigest('periodic', { ...empty, rememberedBefore: told.remembered })).toContain(
      '### Remembered before\n- The primary is db-2.',
    );
  });
});

it.each([
  ['a summary alone', { summary: 'I looked.' }, 'I looked.'],
  ['empty parts', { summary: 'I looked.', decisions: [], state: '', blockers: [] }, 'I looked.'],
  [
    'all parts',
    {
      summary: 'I looked.',
      decisions: ['Wait', 'Ask'],
      state: 'web is down',
      blockers: ['No key'],
    },
    'I looked.\n\n### Decisions\n- Wait\n- Ask\n\n### State\nweb is down\n\n### Blockers\n- No key',
  ],
])('[CKP-3.1] keeps the words of the agent: %s', (_, digest, text) => {
  expect(agentDigest(digest)).toBe(text);
});
