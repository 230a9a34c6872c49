import { describe, expect, it } from 'vitest';
import { InvalidError } from '@/lib/platform/errors';
import { DEFAULT_CONFIG } from './new-project';
import type { ProjectConfig, TierPolicy } from './schema';
import { checkConfig } from './validate';

const NOW = new Date('2026-11-26T10:00:00Z');

function withTier2(changes: Partial<TierPolicy>): ProjectConfig {
  const [one, two, three] = DEFAULT_CONFIG.tiers;
  return { ...DEFAULT_CONFIG, tiers: [one, { ...two, ...changes }, three] };
}

function problemsOf(config: ProjectConfig): Record<string, string> {
  try {
    checkConfig(config, NOW);
    return {};
  } catch (error) {
    if (error instanceof InvalidError) return error.fields;
    throw error;
  }
}

describe('a rule that asks first', () => {
  it.each([
    'Bash(docker stop {service})',
    'Bash(docker compose stop:*)',
    'Bash(kubectl apply -f {path under .})',
    'Bash(docker logs [--tail {int}] {service})',
  ])('%s is saved', (rule) => {
    expect(problemsOf(withTier2({ askFirstTools: [rule] }))).toEqual({});
  });

  it.each([
    ['docker stop web', /is not a rule/],
    ['Bash', /names no program/],
    ['Bash(docker * web)', /can’t ask first\. A \* within a rule can’t be matched/],
    [
      'Bash(/usr/bin/docker stop web)',
      /can’t ask first\. It must begin with the name of a program/,
    ],
    ['Bash(docker stop {servce})', /can’t ask first\. There is no placeholder \{servce\}/],
    ['Edit(./**)', /can’t ask first: only commands can/],
    ['mcp__dig__look', /can’t ask first: only commands can/],
  ])('%s is refused', (rule, words) => {
    const rules = ['Bash(docker stop {service})', rule];
    const problems = problemsOf(withTier2({ askFirstTools: rules }));
    expect(problems).toEqual({ 'tiers.1.askFirstTools': expect.stringMatching(words) });
  });

  it('is refused in a tier without Bash', () => {
    const config = withTier2({
      tools: ['Read'],
      allowedTools: [],
      askFirstTools: ['Bash(docker stop {service})'],
    });
    expect(problemsOf(config)).toEqual({
      'tiers.1.askFirstTools': expect.stringContaining('Bash is not among the tools'),
    });
  });
});

describe('[BND-2.6] the rules that get a secret', () => {
  const rule = 'Bash(docker login -u {service})';
  const withSecret = (secret: Partial<ProjectConfig['secrets'][number]>) => ({
    ...withTier2({ allowedTools: [rule, 'Edit(./**)'] }),
    secrets: [{ name: 'REGISTRY_TOKEN', tiers: [2 as const], rules: [rule], ...secret }],
  });

  it('are rules of its tiers', () => {
    expect(problemsOf(withSecret({}))).toEqual({});
    expect(problemsOf(withSecret({ rules: [] }))).toEqual({});
  });

  it.each([
    ['of another tier', { tiers: [3 as const] }],
    ['that nobody has written', { rules: ['Bash(docker login)'] }],
    ['for no command', { rules: ['Edit(./**)'] }],
  ])('%s are refused', (_what, change) => {
    expect(problemsOf(withSecret(change))).toEqual({
      'secrets.0.rules': expect.stringContaining('These tiers have no rule'),
    });
  });

  it.each(['PATH', 'HOME', 'LD_PRELOAD', 'BASH_ENV'])('can’t set %s', (name) => {
    expect(problemsOf(withSecret({ name }))).toEqual({
      'secrets.0.name': expect.stringContaining('Rename the file'),
    });
  });
});
