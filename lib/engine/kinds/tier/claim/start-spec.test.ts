import { describe, expect, it } from 'vitest';
import type { StartDecision } from '@/lib/engine/continuation/schema';
import type { TierPolicy } from '@/lib/projects/schema';
import type { Confinement, Isolation } from '@/lib/protocol/confinement';
import { reportJsonSchema } from '@/lib/protocol/report';
import type { Capabilities } from '@/lib/protocol/schema';
import type { Recovery } from '@/lib/protocol/spec';
import {
  ATTEMPT,
  CLAIMED_AT,
  type ClaimChange,
  claimFacts,
  PARENT_CLI_SESSION_ID,
  RUNNER,
} from '@/tests/support/claim-facts';
import { CONFIG } from '@/tests/support/settlement-facts';
import { buildStart, isDryRun } from './start-spec';

const OWN_ID = '0b8c5f0e-6a3f-4a7e-9d2b-5d1c3e4f5a6b';
const RESUME = {
  mode: 'resume',
  newCliSessionId: OWN_ID,
  parentCliSessionId: PARENT_CLI_SESSION_ID,
  workDirInode: '8:1',
  transcript: { bytes: 40_000, sha256: 'h1' },
} as StartDecision;
const HANDOFF = { mode: 'handoff', newCliSessionId: OWN_ID } as StartDecision;
const FRESH = { mode: 'fresh', newCliSessionId: OWN_ID } as StartDecision;

function build(
  change: ClaimChange = {},
  {
    decision = RESUME,
    attempt = ATTEMPT,
    recovery = null,
  }: { decision?: StartDecision; attempt?: typeof ATTEMPT; recovery?: Recovery | null } = {},
) {
  return buildStart(decision, attempt, claimFacts(change), recovery, CLAIMED_AT);
}

/** The configuration with another policy for tier 2. */
function tier2(change: Partial<TierPolicy>): Pick<typeof CONFIG, 'tiers'> {
  const [first, second, third] = CONFIG.tiers;
  return { tiers: [first, { ...second, ...change }, third] };
}

const RECONCILE = { ...ATTEMPT, purpose: 'reconcile' };

describe('the start of a tier', () => {
  it('has the rights and limits of its tier, from the version that the chain froze', () => {
    const [, policy] = CONFIG.tiers;
    const { start, warning } = build({ live: tier2({ tools: ['Read'], maxTurns: 1 }) });
    expect(start).toMatchObject({
      harness: 'claude',
      tier: 2,
      purpose: 'tier',
      model: 'sonnet',
      cliSessionId: OWN_ID,
      tools: policy.tools,
      reportSchema: reportJsonSchema,
      questionWaitSeconds: null,
      limits: {
        timeoutSeconds: policy.timeoutSeconds,
        stallSeconds: policy.stallSeconds,
        maxTurns: policy.maxTurns,
      },
      agent: { fingerprint: 'abc', account: 'key-1' },
      recovery: null,
    });
    expect(warning).toBeNull();
  });

  it.each([
    [
      'resumes what the decision names',
      RESUME,
      { mode: 'resume', parentCliSessionId: PARENT_CLI_SESSION_ID },
    ],
    ['starts from the handoff', HANDOFF, { mode: 'handoff' }],
    ['starts fresh', FRESH, { mode: 'fresh' }],
  ])('%s', (_title, decision, continuation) => {
    expect(build({}, { decision }).start.continuation).toMatchObject(continuation);
  });

  it('carries the handoff only where the conversation is not resumed', () => {
    const section = '## Escalation Context';
    expect(build({}, { decision: HANDOFF }).start.systemPrompt).toContain(section);
    expect(build({}, { decision: RESUME }).start.systemPrompt).not.toContain(section);
  });

  it('never starts from a transcript', () => {
    const decision = { mode: 'transcript', newCliSessionId: OWN_ID } as StartDecision;
    expect(() => build({}, { decision })).toThrow();
  });

  it('has the section of an earlier checkpoint, and says which it is', () => {
    const recovery = { section: '## Session Recovery Context\n\nthe disk' } as Recovery;
    const { start } = build({}, { decision: FRESH, recovery });
    expect(start.recovery).toBe(recovery);
    expect(start.systemPrompt).toContain('the disk');
  });

  it('includes the request the chain was started with', () => {
    const chain = { trigger: 'manual', prompt: 'Mind the disk.' };
    const { start } = build({ chain }, { decision: FRESH });
    expect(start.prompt).toContain('An operator also asks: Mind the disk.');
  });
});

const CONTAINERS: Pick<typeof CONFIG, 'services'> = {
  services: [
    { name: 'web', checks: [{ type: 'container', target: 'shop-web-1', timeoutSeconds: 5 }] },
  ],
};

describe('what a tier may run', () => {
  it('fills placeholders, and shows them as they are while nothing is withheld', () => {
    const rule = 'Bash(docker restart {service})';
    const { start } = build({ frozen: { ...tier2({ allowedTools: [rule] }), ...CONTAINERS } });
    expect(start.allowedRules).toEqual(['Bash(docker restart shop-web-1)']);
    expect(start.systemPrompt).toContain(rule);
  });

  it('withholds a rule whose cooldown is used up, and shows what is left', () => {
    const restarts = Array.from({ length: 2 }, () => {
      return { service: 'web', action: 'restart', at: new Date(CLAIMED_AT.getTime() - 60_000) };
    });
    const rules = ['Bash(docker restart {service})', 'Bash(docker inspect {service})'];
    const { start } = build({
      frozen: { ...tier2({ allowedTools: rules }), ...CONTAINERS },
      actions: restarts as ClaimChange['actions'] & object,
    });
    expect(start.allowedRules).toEqual(['Bash(docker inspect shop-web-1)']);
    expect(start.systemPrompt).toContain('Allowed: Bash(docker inspect shop-web-1).');
  });

  it('refuses what the version of the chain or the current one denies, each once', () => {
    const { start } = build({
      frozen: tier2({ disallowedTools: ['Bash(helm:*)', 'Bash(kubectl delete {service})'] }),
      live: tier2({ disallowedTools: ['Bash(terraform:*)', 'Bash(helm:*)'] }),
    });
    expect(start.disallowedRules).toEqual([
      'Bash(helm:*)',
      'Bash(kubectl delete *)',
      'Bash(terraform:*)',
    ]);
  });

  const ASKING = 'Bash(docker restart [--time {int}] {service})';
  const asked = (isolation: Isolation, change: ClaimChange = {}) => {
    const none = tier2({ disallowedTools: [] });
    const rules = {
      allowedTools: ['Bash(docker:*)'],
      askFirstTools: [ASKING],
      disallowedTools: [],
    };
    return build({ ...change, frozen: { ...tier2(rules), isolation }, live: none }).start;
  };

  const CONFINED: Confinement = { state: 'confined', cause: null, detail: null };
  const NONE: Confinement = { state: 'none', cause: 'not_installed', detail: null };
  /** A runner that holds commands, with this confinement; null: it reports none. */
  const hostWith = (confinement: Confinement | null, canBeConfined = true) => {
    const capabilities = RUNNER.capabilities as Capabilities;
    const harnesses = capabilities.harnesses.map((each) => ({ ...each, canBeConfined }));
    const reported = confinement === null ? {} : { confinement };
    return { ...RUNNER, capabilities: { ...capabilities, harnesses, ...reported } };
  };
  const APPROVAL = { ...ATTEMPT, purpose: 'approval' };
  const DECIDED = { decisions: '- Approved: `docker restart web` in /project.', commands: 'None.' };

  it('[BND-4.1] asks first where the runner holds commands, and denies the agent that it can’t confine', () => {
    const start = asked('confined', { runner: hostWith(CONFINED) });
    expect(start.commands).toMatchObject({ denied: [], askFirst: [ASKING] });
    expect(start.disallowedRules).toEqual(['Bash(docker restart:*)']);
    expect(start.systemPrompt).toContain('once a person has approved');
    expect(start.systemPrompt).not.toContain('Bash(docker restart:*)');
  });

  it.each<[string, ReturnType<typeof hostWith>]>([
    ['that can’t confine', hostWith(NONE)],
    ['that reports no confinement', hostWith(null)],
    ['whose agent talks to its model directly', hostWith(CONFINED, false)],
  ])('[BND-4.1] the prompt promises no approval on a host %s', (_what, runner) => {
    const start = asked('confined', { runner });
    expect(start.systemPrompt).not.toContain('once a person has approved');
    expect(start.systemPrompt).toContain('Always denied: Bash(docker restart:*)');
  });

  it.each<[string, ReturnType<typeof hostWith>, string, string]>([
    ['confines', hostWith(CONFINED), 'An approval is for exactly that command', "can't hold"],
    ['can’t confine', hostWith(NONE), "can't hold commands", 'An approval is for exactly'],
  ])(
    '[BND-4.2] a conversation that continues is given the terms of a host that %s',
    (_what, runner, expected, other) => {
      const continued = { isContinuation: true, decided: DECIDED };
      const frozen = { isolation: 'confined' as const };
      const { prompt } = build({ runner, frozen, ...continued }, { attempt: APPROVAL }).start;
      expect(prompt).toContain(expected);
      expect(prompt).not.toContain(other);
    },
  );

  it('[BND-4.1] denies what asks first on a runner from before approvals', () => {
    const { canHoldCommands: _, ...older } = RUNNER.capabilities as Capabilities;
    const runner = { ...RUNNER, capabilities: { ...older, confinement: CONFINED } };
    const start = asked('confined', { runner });
    expect(start.commands).toMatchObject({ denied: ['Bash(docker restart:*)'], askFirst: [] });
    expect(start.disallowedRules).toEqual(['Bash(docker restart:*)']);
    expect(start.systemPrompt).not.toContain('once a person has approved');
    expect(start.systemPrompt).toContain('Bash(docker restart:*)');
  });

  it.each([
    ['open', 'open', 'off'],
    ['confined', 'open', 'required'],
    ['open', 'confined', 'required'],
    ['confined', 'confined', 'required'],
  ] as const)(
    '[HLD-1.1] a chain of a version that is %s, with %s now, starts %s',
    (frozen, live, expected) => {
      const { start } = build({ frozen: { isolation: frozen }, live: { isolation: live } });
      expect(start.isolation).toBe(expected);
    },
  );

  it('[BND-4.1] denies what asks first in an open project, in every spelling', () => {
    const start = asked('open');
    expect(start.disallowedRules).toEqual(['Bash(docker restart:*)']);
    expect(start.systemPrompt).not.toContain('once a person has approved');
  });

  it('spends no more than the budgets leave', () => {
    const frozen = tier2({ maxBudgetUsd: 2 });
    const live = { budgets: { chainUsd: null, dayUsd: 10, monthUsd: null } };
    const spent = (dayMicros: number) => ({ chainMicros: 0, dayMicros, monthMicros: 0 });
    const limit = (dayMicros: number) =>
      build({ frozen, live, spending: spent(dayMicros) }).start.limits.maxBudgetUsd;
    expect(limit(0)).toBe(2);
    expect(limit(9_500_000)).toBe(0.5);
  });
});

describe('an observe-only attempt', () => {
  const [observe] = CONFIG.tiers;

  it("has tier 1's rights, whatever tier it examines", () => {
    const { start } = build({}, { decision: HANDOFF, attempt: RECONCILE });
    expect(start).toMatchObject({
      tier: 2,
      purpose: 'reconcile',
      tools: observe.tools,
      limits: { timeoutSeconds: observe.timeoutSeconds, maxTurns: observe.maxTurns },
    });
    expect(start.prompt).toContain('change nothing, finish nothing, undo nothing');
  });

  it('writes no handoff', () => {
    const frozen = { continuation: { tier1To2: 'handoff', tier2To3: 'handoff' } } as const;
    expect(
      build({ frozen }, { decision: HANDOFF, attempt: RECONCILE }).start.writesHandoffFile,
    ).toBe(false);
  });
});

describe('the handoff file', () => {
  it.each([
    [1, { tier1To2: 'handoff', tier2To3: 'resume' }, true],
    [1, { tier1To2: 'resume', tier2To3: 'handoff' }, false],
    [2, { tier1To2: 'handoff', tier2To3: 'resume' }, false],
    [2, { tier1To2: 'resume', tier2To3: 'handoff' }, true],
    [3, { tier1To2: 'handoff', tier2To3: 'handoff' }, false],
  ] as const)('of tier %i with %j: %s', (tier, continuation, writesHandoffFile) => {
    const { start } = build({ session: { tier }, frozen: { continuation } });
    expect(start.writesHandoffFile).toBe(writesHandoffFile);
  });
});

describe('checkpoints', () => {
  it.each([true, false])('as they are set now: %s', (enabled) => {
    const live = { checkpoints: { ...CONFIG.checkpoints, enabled } };
    const { start } = build({ live });
    expect(start.checkpoints?.project ?? null).toBe(enabled ? 'Checkout' : null);
    expect(start.systemPrompt.includes('## Notes')).toBe(enabled);
  });
});

describe('dry run', () => {
  it.each([
    ['nobody', {}, false],
    ['the installation', { isDryRunForced: true }, true],
    ['the chain', { chain: { isDryRun: true } }, true],
    ['the version of the chain', { frozen: { dryRun: true } }, true],
    ['the current version', { live: { dryRun: true } }, true],
  ])('is turned on by %s', (_title, change, expected) => {
    expect(isDryRun(claimFacts(change))).toBe(expected);
    const words = expected ? 'Dry run is on: change nothing' : 'Dry run is off';
    expect(build(change).start.prompt).toContain(words);
    expect(build(change).start.systemPrompt).toContain(words);
  });
});
