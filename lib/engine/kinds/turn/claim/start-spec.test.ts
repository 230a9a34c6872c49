import { describe, expect, it } from 'vitest';
import type { StartDecision } from '@/lib/engine/continuation/schema';
import type { AskAgent } from '@/lib/projects/ask-agents';
import { PARENT_CLI_SESSION_ID, type TurnChange, turnFacts } from '@/tests/support/claim-facts';
import { CONFIG } from '@/tests/support/settlement-facts';
import { buildTurnStart } from './claim-turn';

const OWN_ID = '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a6b';
const FRESH = { mode: 'fresh', newCliSessionId: OWN_ID } as StartDecision;
const RESUME = {
  mode: 'resume',
  newCliSessionId: OWN_ID,
  parentCliSessionId: PARENT_CLI_SESSION_ID,
  workDirInode: null,
  transcript: null,
} as StartDecision;
const TRANSCRIPT = { mode: 'transcript', newCliSessionId: OWN_ID } as StartDecision;
const CLAUDE: AskAgent = { name: 'claude', harness: 'claude', model: 'haiku' };
const DEMO: AskAgent = { name: 'demo', harness: 'demo', model: 'demo' };
const [observe] = CONFIG.tiers;
const EARLIER = {
  author: 'Ana',
  agent: 'claude',
  message: 'Is db well?',
  answer: 'It is.',
  decided: [],
};

function build(change: TurnChange = {}, decision = FRESH, agent = CLAUDE) {
  return buildTurnStart(decision, agent, turnFacts(change));
}

describe('the start of a turn', () => {
  it('[BND-4.1] denies what asks first, in every spelling', () => {
    const [, second, third] = CONFIG.tiers;
    const first = {
      ...observe,
      allowedTools: ['Bash(docker:*)'],
      askFirstTools: ['Bash(docker restart [--time {int}] {service})'],
      disallowedTools: [],
    };
    const start = build({ live: { tiers: [first, second, third] } });
    expect(start.disallowedRules).toEqual(['Bash(docker restart:*)']);
    expect(start.commands).toMatchObject({ denied: ['Bash(docker restart:*)'], askFirst: [] });
  });

  it('has the rights of tier 1 and no others, as they are set now', () => {
    expect(build()).toMatchObject({
      harness: 'claude',
      tier: 1,
      purpose: 'ask',
      model: 'haiku',
      cliSessionId: OWN_ID,
      continuation: { mode: 'fresh' },
      prompt: 'Is web well?',
      tools: observe.tools,
      reportSchema: null,
      writesHandoffFile: false,
      agent: { fingerprint: 'abc', account: 'key-1' },
      recovery: null,
    });
  });

  it('has the time that a person takes to answer on top of its own', () => {
    const { limits, questionWaitSeconds } = build();
    expect(questionWaitSeconds).toBeGreaterThan(0);
    expect(limits).toMatchObject({
      timeoutSeconds: observe.timeoutSeconds + (questionWaitSeconds ?? 0),
      stallSeconds: observe.stallSeconds,
      maxTurns: observe.maxTurns,
    });
  });

  it('fills the placeholders of what is allowed and refused', () => {
    const live: Partial<typeof CONFIG> = {
      services: [
        { name: 'web', checks: [{ type: 'container', target: 'shop-web-1', timeoutSeconds: 5 }] },
      ],
      tiers: [
        {
          ...observe,
          allowedTools: ['Bash(docker logs {service})'],
          disallowedTools: ['Bash(docker stop {service})'],
        },
        CONFIG.tiers[1],
        CONFIG.tiers[2],
      ],
    };
    expect(build({ live })).toMatchObject({
      allowedRules: ['Bash(docker logs shop-web-1)'],
      disallowedRules: ['Bash(docker stop *)'],
    });
  });

  it("spends no more than a day's budget leaves; a chain's is not its own", () => {
    const live = { budgets: { chainUsd: 0.01, dayUsd: 10, monthUsd: null } };
    const left = (dayMicros: number) =>
      build({ live, spending: { chainMicros: 9e9, dayMicros, monthMicros: 0 } }).limits
        .maxBudgetUsd;
    expect(left(9_900_000)).toBe(0.1);
    expect(left(0)).toBe(observe.maxBudgetUsd);
  });

  it.each([true, false])('keeps notes where checkpoints are on: %s', (enabled) => {
    const live = { checkpoints: { ...CONFIG.checkpoints, enabled } };
    expect(build({ live }).checkpoints?.project ?? null).toBe(enabled ? 'Checkout' : null);
  });

  it('waits for a person only where its agent can ask one', () => {
    expect(build({}, FRESH, DEMO).harness).toBe('demo');
    for (const agent of [CLAUDE, DEMO]) {
      const { questionWaitSeconds, systemPrompt } = build({}, FRESH, agent);
      expect(questionWaitSeconds !== null).toBe(/ask with/.test(systemPrompt));
    }
  });
});

describe('what a turn knows of what came before', () => {
  const transcript = { chain: null, turns: [EARLIER] };

  it('is in the conversation that it resumes', () => {
    const start = build({ transcript }, RESUME);
    expect(start.continuation).toMatchObject({ parentCliSessionId: PARENT_CLI_SESSION_ID });
    expect(start.prompt).toContain('Is web well?');
    expect(start.prompt).not.toContain('Is db well?');
  });

  it('is the transcript where the conversation was lost', () => {
    const start = build({ transcript }, TRANSCRIPT);
    expect(start.continuation).toEqual({ mode: 'transcript' });
    expect(start.prompt).toContain('Is db well?');
    expect(start.prompt).toContain('Is web well?');
  });

  it('is never a transcript without a word', () => {
    expect(() => build({}, TRANSCRIPT)).toThrow();
  });

  it('is the chain that it is about', () => {
    const chain = { number: 12 } as TurnChange['chain'] & object;
    expect(build({ chain }).systemPrompt).toContain('Their questions are about Chain #12');
    expect(build().systemPrompt).toContain('the project as a whole');
  });
});
