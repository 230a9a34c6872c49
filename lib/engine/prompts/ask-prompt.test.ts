import { describe, expect, it } from 'vitest';
import type { ToolNames } from '@/lib/agents/agent';
import { AGENTS } from '@/lib/agents/registry';
import { askPrompts } from './ask-prompt';

type AskPromptFacts = Parameters<typeof askPrompts>[0];

const FACTS: AskPromptFacts = {
  project: 'Checkout',
  chain: null,
  services: [{ name: 'web', checks: [] }],
  toolNames: AGENTS.claude.toolNames,
  tools: ['Bash', 'Read'],
  allowedRules: ['Bash(docker restart:*)'],
  disallowedRules: [],
  askFirstRules: [],
  instructions: '',
  keepsNotes: true,
  isContinuation: false,
  isResumed: false,
  message: 'Is web well?',
  transcript: null,
};

function ask(change: Partial<AskPromptFacts> = {}) {
  return askPrompts({ ...FACTS, ...change });
}

describe('what a turn is asked', () => {
  it('is the message alone in a first turn', () => {
    expect(ask().prompt).toBe('Is web well?');
  });

  it('names the message in a resumed turn, and repeats no transcript', () => {
    const { prompt } = ask({ isResumed: true });
    expect(prompt).toContain('Is web well?');
    expect(prompt).not.toBe('Is web well?');
  });

  it('holds the transcript and then the message where the conversation was lost', () => {
    const { prompt } = ask({ transcript: '~~~~~~\nana: hello\n~~~~~~' });
    expect(prompt.indexOf('ana: hello')).toBeGreaterThan(0);
    expect(prompt.indexOf('Is web well?')).toBeGreaterThan(prompt.indexOf('ana: hello'));
  });

  it('asks nothing again where the session continues its own conversation', () => {
    const { prompt } = ask({ isContinuation: true, isResumed: true });
    expect(prompt).not.toContain('Is web well?');
    expect(prompt.trim()).not.toBe('');
  });
});

describe('the system prompt of a turn', () => {
  it.each([
    [null, 'Their questions are about the project as a whole.'],
    ['#12', 'Their questions are about Chain #12, which has ended'],
  ])('says what the conversation is about: %s', (chain, words) => {
    expect(ask({ chain }).systemPrompt).toContain(words);
  });

  it('holds the instructions of the operators and the notes only where there are any', () => {
    const full = ask({ instructions: 'Page Ana before 08:00.\n' }).systemPrompt;
    expect(full).toContain('## Operator instructions\n\nPage Ana before 08:00.\n');
    expect(full).toContain(AGENTS.claude.toolNames.notes.digest);
    const bare = ask({ keepsNotes: false }).systemPrompt;
    expect(bare).not.toContain('## Operator instructions');
    expect(bare).not.toContain(AGENTS.claude.toolNames.notes.digest);
    expect(bare).not.toMatch(/\n{3}/);
  });

  const toolNames: ToolNames = {
    report: 'recite',
    check: 'look_at',
    ask: 'wonder',
    notes: { digest: 'sum_up', remember: 'keep', recall: 'tell' },
  };

  it('[ENG-1.2] a conversation names the tool to ask with, where there is one', () => {
    expect(ask({ toolNames }).systemPrompt).toContain('Tools: Bash, Read, look_at, wonder, and');
    expect(ask({ toolNames }).systemPrompt).toContain("\n- If you can't continue without");
    expect(ask({ toolNames }).systemPrompt).toContain('ask with `wonder`: once');
    expect(ask({ toolNames }).systemPrompt).not.toMatch(
      /StructuredOutput|AskUserQuestion|mcp__tierwatch/,
    );
    const silent = ask({ toolNames: { ...toolNames, ask: null } }).systemPrompt;
    expect(silent).toContain('Tools: Bash, Read, look_at, and those');
    expect(silent).not.toMatch(/ask with|wonder|\n{3}|\n\n- Never print/);
  });
});
