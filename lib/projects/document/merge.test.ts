import { describe, expect, it } from 'vitest';
import type { HarnessName } from '@/lib/protocol/spec';
import { DEFAULT_CONFIG } from '../new-project';
import type { ProjectConfig } from '../schema';
import type { TierModels } from '../tier-models';
import { mergeConfig as merge } from './merge';
import { type ProjectPatch, projectDocumentSchema, projectPatchSchema } from './schema';

const MODELS: Record<HarnessName, TierModels> = {
  claude: ['haiku', 'sonnet', 'opus'],
  demo: ['small', 'medium', 'large'],
};
const mergeConfig = (base: ProjectConfig, patch: ProjectPatch) =>
  merge(base, patch, (harness) => MODELS[harness]);

const enabled = (config: typeof DEFAULT_CONFIG) => config.tiers.map((tier) => tier.isEnabled);

describe('mergeConfig', () => {
  it('changes nothing by an empty patch', () => {
    expect(mergeConfig(DEFAULT_CONFIG, {})).toEqual(DEFAULT_CONFIG);
  });

  it('merges a tier by its number and keeps the rest of it', () => {
    const merged = mergeConfig(DEFAULT_CONFIG, { tiers: [{ tier: 2, maxTurns: 7 }] });
    expect(merged.tiers[1]).toEqual({ ...DEFAULT_CONFIG.tiers[1], maxTurns: 7 });
    expect(merged.tiers[0]).toEqual(DEFAULT_CONFIG.tiers[0]);
    expect(merged.maxTier).toBe(1);
  });

  it('merges objects and replaces lists', () => {
    const merged = mergeConfig(DEFAULT_CONFIG, {
      budgets: { dayUsd: 3 },
      continuation: { tier2To3: 'handoff' },
      cooldowns: [],
    });
    expect(merged.budgets).toEqual({ ...DEFAULT_CONFIG.budgets, dayUsd: 3 });
    expect(merged.continuation).toEqual({ tier1To2: 'resume', tier2To3: 'handoff' });
    expect(merged.cooldowns).toEqual([]);
  });

  it('[CKP-7.1] changes only the checkpoint settings that are named', () => {
    const merged = mergeConfig(DEFAULT_CONFIG, { checkpoints: { retentionDays: 30 } });
    expect(merged.checkpoints).toEqual({ ...DEFAULT_CONFIG.checkpoints, retentionDays: 30 });
    expect(mergeConfig(merged, { checkpoints: { enabled: false } }).checkpoints).toMatchObject({
      enabled: false,
      retentionDays: 30,
    });
  });

  it.each([
    { startOn: { checkChange: false } },
    { incidents: { groupSeconds: 60 } },
    { approvals: { people: 2 } },
    { checkpoints: { retentionDays: 30 } },
    { monitoring: { lastResults: 5 } },
  ])('keeps other values of a group than its defaults, parsed from %j', (patch) => {
    const own = {
      ...DEFAULT_CONFIG,
      monitoring: { everySeconds: 90, failures: 1, lastResults: 4 },
      startOn: { checkChange: true, alert: false },
      incidents: { verifySeconds: 90, reopenSeconds: 90, groupSeconds: 90 },
      approvals: { ...DEFAULT_CONFIG.approvals, holdSeconds: 9, operatorsUpToTier: 1 as const },
      checkpoints: { ...DEFAULT_CONFIG.checkpoints, enabled: false, promptInterval: 99 },
    };
    const [group = 'startOn', named] = Object.entries(patch)[0] ?? [];
    const merged = mergeConfig(own, projectPatchSchema.parse(patch));
    const before = (own as Record<string, unknown>)[group] as object;
    expect(merged).toEqual({ ...own, [group]: { ...before, ...named } });
  });

  it('changes only the approval settings and the approvals of a tier that are named', () => {
    const asking = mergeConfig(DEFAULT_CONFIG, {
      approvals: { people: 2 },
      tiers: [{ tier: 2, askFirstTools: ['Bash(docker stop {service})'], requiresApproval: true }],
    });
    expect(asking.approvals).toEqual({ ...DEFAULT_CONFIG.approvals, people: 2 });
    const merged = mergeConfig(asking, {
      approvals: { onRefusal: 'end' },
      tiers: [{ tier: 2, maxTurns: 7 }],
    });
    expect(merged.approvals).toEqual({ ...asking.approvals, onRefusal: 'end' });
    expect(merged.tiers[1]).toEqual({ ...asking.tiers[1], maxTurns: 7 });
  });

  it.each([
    [{ maxTier: 3 as const }, [true, true, true], 3],
    [{ tiers: [{ tier: 2 as const, isEnabled: true }] }, [true, true, false], 2],
    [
      { maxTier: 3 as const, tiers: [{ tier: 3 as const, isEnabled: false }] },
      [true, true, false],
      3,
    ],
  ])('keeps the switches and the maximum tier in step: %o', (patch, switches, maxTier) => {
    const merged = mergeConfig(DEFAULT_CONFIG, patch);
    expect(enabled(merged)).toEqual(switches);
    expect(merged.maxTier).toBe(maxTier);
  });

  it('a lower maximum switches the tiers above it off', () => {
    const all = mergeConfig(DEFAULT_CONFIG, { maxTier: 3 });
    expect(enabled(mergeConfig(all, { maxTier: 1 }))).toEqual([true, false, false]);
  });

  const models = ({ tiers }: ProjectConfig) => tiers.map(({ model }) => model);

  it('[ENG-1.2] gives the tiers the models of another agent, unless they are named', () => {
    const merged = mergeConfig(DEFAULT_CONFIG, {
      harness: 'demo',
      tiers: [{ tier: 3, model: 'huge' }],
    });
    expect(models(merged)).toEqual(['small', 'medium', 'huge']);
  });

  it('[ENG-1.2] keeps models that were chosen for the same agent', () => {
    const chosen = mergeConfig(DEFAULT_CONFIG, { tiers: [{ tier: 1, model: 'opus' }] });
    expect(models(mergeConfig(chosen, { harness: 'claude', dryRun: true }))).toEqual([
      ...['opus', 'sonnet', 'opus'],
    ]);
  });

  it('[ENG-1.2] drops a context window with the model that it was set for', () => {
    const set = mergeConfig(DEFAULT_CONFIG, { tiers: [{ tier: 1, contextWindow: 1_000_000 }] });
    expect(set.tiers[0].contextWindow).toBe(1_000_000);
    expect(mergeConfig(set, { harness: 'demo' }).tiers[0].contextWindow).toBeNull();
  });
});

describe('a project document', () => {
  it('needs a name and names what it does not know', () => {
    expect(projectDocumentSchema.safeParse({}).error?.issues[0]?.path).toEqual(['name']);
    const unknown = projectPatchSchema.safeParse({ tiers: [{ tier: 1, turns: 3 }] });
    expect(unknown.error?.issues[0]).toMatchObject({
      code: 'unrecognized_keys',
      path: ['tiers', 0],
      keys: ['turns'],
    });
  });

  it('a patch brings no defaults of its own', () => {
    expect(projectPatchSchema.parse({})).toEqual({});
    expect(projectPatchSchema.parse({ tiers: [{ tier: 1 }] })).toEqual({ tiers: [{ tier: 1 }] });
    expect(projectPatchSchema.parse({ approvals: {} })).toEqual({ approvals: {} });
  });
});
