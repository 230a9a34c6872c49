import { describe, expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import type { ServiceSpec } from '@/lib/protocol/spec';
import {
  actionsBlock,
  affectedLine,
  cooldownsBlock,
  dryRunLine,
  notesSection,
  servicesBlock,
} from './blocks';

const WEB = { type: 'http', target: 'http://web/healthz', timeoutSeconds: 5 } as const;
const CONTAINERS: ServiceSpec[] = [
  { name: 'web', checks: [{ type: 'container', target: 'shop-web-1', timeoutSeconds: 5 }] },
];
const DB = { type: 'tcp', target: 'db:5432', timeoutSeconds: 5 } as const;

describe('affectedLine', () => {
  it.each([
    [[], 'not named'],
    [['web'], 'web'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c, d, e'],
    [['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d, e, and 1 more listed in your instructions'],
  ])('%j', (services, line) => {
    expect(affectedLine(services)).toBe(line);
  });
});

describe('servicesBlock', () => {
  it.each([
    ['none', [], 'None configured.'],
    ['one without a check', [{ name: 'api', checks: [] }], '- api: no check'],
    [
      'one per line with its checks',
      [
        { name: 'web', checks: [WEB, DB] },
        { name: 'api', checks: [] },
      ],
      '- web: http http://web/healthz; tcp db:5432\n- api: no check',
    ],
  ])('%s', (_title, services, block) => {
    expect(servicesBlock(services)).toBe(block);
  });
});

describe('actionsBlock', () => {
  const { toolNames } = AGENTS.claude;
  const actions = (change: Partial<Parameters<typeof actionsBlock>[0]> = {}) =>
    actionsBlock({
      tools: ['Bash'],
      allowedRules: ['Bash(docker ps)'],
      disallowedRules: [],
      askFirstRules: [],
      services: [{ name: 'web', checks: [WEB] }],
      keepsNotes: false,
      toolNames,
      endsWith: 'report',
      ...change,
    }).split('\n');

  it('names the tools with our own, and what is allowed', () => {
    const [tools, allowed, ...more] = actions();
    expect(tools).toBe(`Tools: Bash, ${toolNames.check}, ${toolNames.report}.`);
    expect(allowed).toMatch(/^Allowed: Bash\(docker ps\)\. Commands that only read /);
    expect(more).toEqual([]);
  });

  it.each([
    ['no tool of its own', { tools: [] }, 0, /^Tools: none, /],
    ['the notes', { keepsNotes: true }, 0, /, and those of the section "Notes"\.$/],
    [
      'no tool to end with',
      { endsWith: 'ask', toolNames: { ...toolNames, ask: null } },
      0,
      /check\.$/,
    ],
    ['no rule', { allowedRules: [] }, 1, /^Allowed: read-only commands\./],
    [
      'what is refused',
      { disallowedRules: ['Bash(helm:*)'] },
      2,
      /^Always denied: Bash\(helm:\*\)\.$/,
    ],
    [
      'what a placeholder stands for, without rules of other kinds',
      {
        allowedRules: [
          ...['Bash(docker restart {service})', 'Bash(docker stop {service})'],
          'Bash(systemctl restart {service})',
        ],
        services: CONTAINERS,
      },
      2,
      /^In rules of docker, \{service\} stands for one of: shop-web-1\.$/,
    ],
    [
      'only rules that allow something',
      {
        allowedRules: ['Bash(docker restart {service})', 'Bash(systemctl restart {service})'],
        services: CONTAINERS,
      },
      1,
      /^Allowed: Bash\(docker restart \{service\}\)\. Commands/,
    ],
    [
      'what a bracket means',
      { allowedRules: ['Bash(docker restart [-t {int}] web)'] },
      2,
      /^\[--option\] can be left out/,
    ],
    [
      'kinds of values',
      { allowedRules: ['Bash(docker restart [-t {int}] web)'] },
      3,
      /\{int\} for a number/,
    ],
    [
      'a placeholder that nothing fills',
      { askFirstRules: ['Bash(docker restart {service})'] },
      3,
      /^In rules of docker, \{service\} stands for nothing\.$/,
    ],
  ] as [string, Partial<Parameters<typeof actionsBlock>[0]>, number, RegExp][])(
    '%s',
    (_title, change, line, words) => {
      expect(actions(change)[line]).toMatch(words);
    },
  );

  it('explains a placeholder once, however many rules have it', () => {
    const rules = ['Bash(docker stop {service})', 'Bash(podman stop {service})'];
    const lines = actions({
      allowedRules: [...rules, ...rules],
      services: CONTAINERS,
    });
    expect(lines.filter((line) => line.includes('stands for one of'))).toEqual([
      'In rules of docker, podman, {service} stands for one of: shop-web-1.',
    ]);
  });
});

describe('cooldownsBlock', () => {
  const restart = { action: 'restart', limit: 2, windowSeconds: 14_400 } as const;
  const redeploy = { action: 'redeploy', limit: 1, windowSeconds: 86_400 } as const;
  const nextAllowedAt = new Date('2026-11-21T16:40:00Z');
  const LIMITS = 'Per service: at most 2 restarts in 4h. Exceeding a limit stops you at once.';

  it('says that no limits are set', () => {
    expect(cooldownsBlock([], [])).toMatch(/^No limits are set\./);
  });

  it('names every limit once, in the plural where it is more than one', () => {
    expect(cooldownsBlock([restart, redeploy], [])).toBe(
      'Per service: at most 2 restarts in 4h, 1 redeploy in 1d. Exceeding a limit stops you at once.\nNothing has been used so far.',
    );
  });

  it.each([
    ['unused', { ...restart, used: 0, nextAllowedAt: null }, 'Nothing has been used so far.'],
    [
      'one left',
      { ...restart, used: 1, nextAllowedAt: null },
      '- web, restart: 1 of 2 used, 1 left.',
    ],
    [
      'used up',
      { ...restart, used: 2, nextAllowedAt },
      '- web, restart: 2 of 2 used. Not allowed before 2026-11-21T16:40:00.000Z.',
    ],
    [
      'never allowed',
      { ...restart, limit: 0, used: 0, nextAllowedAt: null },
      '- web, restart: 0 of 0 used. Not allowed.',
    ],
  ])('%s', (_title, fact, line) => {
    expect(cooldownsBlock([restart], [{ service: 'web', ...fact }])).toBe(`${LIMITS}\n${line}`);
  });
});

describe('the rest', () => {
  it.each([
    [true, /^Dry run is on: change nothing/],
    [false, /^Dry run is off: what you do is real\.$/],
  ])('dry run %s', (isDryRun, words) => {
    expect(dryRunLine(isDryRun)).toMatch(words);
  });

  it('names the tools for notes that the agent has', () => {
    const notes = { digest: 'sum_up', remember: 'keep', recall: 'tell' };
    const section = notesSection({ ...AGENTS.claude.toolNames, notes });
    for (const name of Object.values(notes)) expect(section).toContain(`\`${name}\``);
  });
});
