import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DEFAULT_APPROVALS } from '@/lib/projects/approval-settings';
import { changedFields } from '@/lib/projects/difference';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { type ProjectConfig, projectConfigSchema } from '@/lib/projects/schema';
import { CHECK_TYPES } from '@/lib/protocol/checks/kinds';
import { mergeConfig } from '../merge';
import { toDocument, withPasswords } from '../schema';
import { problemText, readYaml, writeYaml } from '../yaml';

const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
/** Also what YAML would read as something else: yes, 1e3, "# no comment", several lines. */
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ minLength: 1, maxLength }),
    fc.constantFrom('yes', 'null', '1e3', '0x10', '# no comment', '- a', 'a: b', 'x\n  y\n', '~'),
    fc.constantFrom('\u202egpj.exe', 'a\u001b]0;b\u0007', 'a\rb', 'c\u009b1m\nd', '\u2028'),
  );
const money = fc.option(fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100));
const scalar = fc.oneof(text(20), fc.integer(), fc.boolean(), fc.constant(null));
const check = fc.record(
  {
    type: fc.constantFrom(...CHECK_TYPES),
    target: fc.oneof(text(80), fc.constant('postgres://app:hunter22@db/shop')),
    expectStatus: fc.integer({ min: 100, max: 599 }),
    expectText: fc.string({ maxLength: 50 }),
    expectJson: fc.record(
      {
        path: text(20),
        exists: fc.boolean(),
        equals: scalar,
        oneOf: fc.array(scalar, { minLength: 1, maxLength: 3 }),
        atLeast: fc.integer(),
        atMost: fc.integer(),
      },
      { requiredKeys: ['path'] },
    ),
    method: fc.constantFrom('GET', 'HEAD'),
    headers: fc.array(fc.record({ name: text(20), value: text(20) }), { maxLength: 2 }),
    redirectHosts: fc.array(text(20), { maxLength: 2 }),
    family: fc.constantFrom('auto', 'ipv4', 'ipv6'),
    maxResponseMs: fc.integer({ min: 1, max: 60_000 }),
    serverName: text(20),
    warnDays: fc.integer({ min: 0, max: 825 }),
    failDays: fc.integer({ min: 0, max: 825 }),
    recordType: fc.constantFrom('A', 'MX', 'TXT'),
    resolver: text(20),
    expectValues: fc.array(text(20), { minLength: 1, maxLength: 2 }),
    query: text(40),
    operator: fc.constantFrom('<', '==', '>='),
    threshold: fc.integer(),
    maxSampleSeconds: fc.integer({ min: 1, max: 86_400 }),
    exitCodes: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 2 }),
    isAllowedByOwner: fc.boolean(),
    periodSeconds: fc.integer({ min: 30, max: 1_000_000 }),
    graceSeconds: fc.integer({ min: 0, max: 1_000_000 }),
    everySeconds: fc.integer({ min: 30, max: 86_400 }),
    timeoutSeconds: fc.integer({ min: 1, max: 60 }),
  },
  { requiredKeys: ['type', 'target', 'timeoutSeconds'] },
);
const zone = fc.constantFrom('UTC', 'Europe/Berlin');
const schedule = fc.oneof(
  fc.record({
    kind: fc.constant('interval'),
    everySeconds: fc.integer({ min: 30, max: 604_800 }),
    timeZone: zone,
  }),
  fc.record({
    kind: fc.constant('cron'),
    expression: fc.constantFrom('*/10 * * * *', '0 9 * * 1-5'),
    timeZone: zone,
  }),
  fc.record({ kind: fc.constant('manual'), timeZone: zone }),
);
const maintenance = fc.record({
  name: text(40).filter((name) => name.trim() === name && name !== ''),
  effect: fc.constantFrom('no_cycles', 'observe_only'),
  timeZone: zone,
  when: fc.oneof(
    fc.constant({ kind: 'once', startsAt: '2026-12-01T22:00', endsAt: '2026-12-02T01:00' }),
    fc.record({
      kind: fc.constant('recurring'),
      expression: fc.constant('0 22 * * 6'),
      durationSeconds: fc.integer({ min: 60, max: 604_800 }),
    }),
  ),
});
const policy = (tier: number) =>
  fc.record({
    tier: fc.constant(tier),
    isEnabled: fc.boolean(),
    model: text(30),
    tools: fc.array(text(20), { maxLength: 3 }),
    allowedTools: fc.array(text(60), { maxLength: 4 }),
    disallowedTools: fc.array(text(60), { maxLength: 3 }),
    askFirstTools: fc.array(text(60), { maxLength: 3 }),
    requiresApproval: fc.boolean(),
    prompt: fc.option(text(200)),
    timeoutSeconds: fc.integer({ min: 10, max: 7_200 }),
    stallSeconds: fc.integer({ min: 10, max: 3_600 }),
    maxTurns: fc.integer({ min: 1, max: 500 }),
    maxBudgetUsd: money,
    contextWindow: fc.option(fc.integer({ min: 1_000, max: 1_000_000 })),
  });
const config: fc.Arbitrary<ProjectConfig> = fc
  .record({
    harness: fc.constantFrom('claude', 'demo'),
    isolation: fc.constantFrom('confined', 'open'),
    services: fc.array(fc.record({ name: word, checks: fc.array(check, { maxLength: 2 }) }), {
      maxLength: 3,
    }),
    schedule,
    tiers: fc.tuple(policy(1), policy(2), policy(3)),
    maxTier: fc.constantFrom(1, 2, 3),
    dryRun: fc.boolean(),
    contextThreshold: fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100),
    maxRereadTokens: fc.option(fc.integer({ min: 1_000, max: 10_000_000 })),
    continuation: fc.record({
      tier1To2: fc.constantFrom('resume', 'handoff'),
      tier2To3: fc.constantFrom('resume', 'handoff'),
    }),
    unprovenModels: fc.constantFrom('resume', 'handoff'),
    cooldowns: fc.array(
      fc.record({
        action: fc.constantFrom('restart', 'redeploy'),
        limit: fc.integer({ min: 0, max: 100 }),
        windowSeconds: fc.integer({ min: 60, max: 86_400 }),
      }),
      { maxLength: 2 },
    ),
    budgets: fc.record({ chainUsd: money, dayUsd: money, monthUsd: money }),
    maintenance: fc.array(maintenance, { maxLength: 2 }),
    approvals: fc.record({
      operatorsUpToTier: fc.constantFrom(1, 2, 3),
      people: fc.constantFrom(1, 2),
      holdSeconds: fc.integer({ min: 0, max: 90 }),
      expiresSeconds: fc.integer({ min: 300, max: 604_800 }),
      onRefusal: fc.constantFrom('resume', 'end'),
    }),
    checkpoints: fc.record({
      enabled: fc.boolean(),
      promptInterval: fc.integer({ min: 1, max: 1_000 }),
      timeIntervalMs: fc.integer({ min: 60_000, max: 3_600_000 }),
      maxCheckpointsPerSession: fc.integer({ min: 1, max: 500 }),
      retentionDays: fc.integer({ min: 1, max: 90 }),
      recoveryBudgetChars: fc.integer({ min: 200, max: 10_000 }),
    }),
    instructions: fc.string({ maxLength: 200 }),
    runnerPool: word,
    secrets: fc.array(fc.record({ name: fc.constant('DB_TOKEN'), tiers: fc.constant([2, 3]) }), {
      maxLength: 1,
    }),
  })
  .map((value) => projectConfigSchema.parse(value));

describe('[SAS-2.1] a project as YAML', () => {
  it('makes the same project of any other one: apply, then diff is zero', () => {
    fc.assert(
      fc.property(config, config, fc.boolean(), (exported, other, isSame) => {
        const document = toDocument({ name: 'Shop', slug: 'shop', config: exported });
        const read = readYaml(writeYaml(document));
        if (!read.ok) throw new Error(read.problems.map(problemText).join('\n'));
        expect(read.document).toEqual(document);
        const current = isSame ? exported : other;
        const applied = mergeConfig(current, withPasswords(read.document, exported), () => [
          ...(['of tier 1', 'of tier 2', 'of tier 3'] as const),
        ]);
        expect(changedFields(exported, applied)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('never holds a password, and gets it back only where it is known', () => {
    const target = 'postgres://app:hunter22@db:5432/shop';
    const services = [
      { name: 'db', checks: [{ type: 'database' as const, target, timeoutSeconds: 5 }] },
    ];
    const exported = { ...DEFAULT_CONFIG, services };
    const yaml = writeYaml(toDocument({ name: 'Shop', slug: 'shop', config: exported }));
    expect(yaml).not.toContain('hunter22');
    const read = readYaml(yaml);
    if (!read.ok) throw new Error('It does not read.');
    expect(withPasswords(read.document, exported).services?.[0]?.checks[0]?.target).toBe(target);
    const elsewhere = withPasswords(read.document, DEFAULT_CONFIG);
    expect(elsewhere.services?.[0]?.checks[0]?.target).toContain('[redacted]');
  });

  it('explains units in comments, which change nothing', () => {
    const document = toDocument({ name: 'Shop', slug: 'shop', config: DEFAULT_CONFIG });
    const yaml = writeYaml(document);
    expect(yaml).toContain('everySeconds: 43200 # seconds');
    expect(yaml).toContain('dayUsd: 50 # US dollars');
    expect(yaml).toContain('timeIntervalMs: 900000 # milliseconds');
    expect(yaml).toContain('onRefusal: end # resume: the agent continues with the reason; end:');
    expect(yaml).toMatch(/# Share of the model’s context window .+\ncontextThreshold: 0\.8\n/);
    expect(parse(yaml)).toEqual(document);
  });
});

it('an exported file names every approval setting, also those with a default', () => {
  const { approvals, tiers } = parse(
    writeYaml(toDocument({ name: 'Shop', slug: 'shop', config: DEFAULT_CONFIG })),
  );
  expect(approvals).toEqual(DEFAULT_APPROVALS);
  expect(tiers).toMatchObject([1, 2, 3].map((tier) => ({ tier, ...NO_APPROVAL })));
});

const NO_APPROVAL = { askFirstTools: [], requiresApproval: false };

describe('[SAS-2.1] a file is refused by line', () => {
  it.each([
    ['name: Shop\nservces: []\n', 'line 2, servces: Unknown field servces. Did you mean services?'],
    [
      'name: Shop\ntiers:\n  - tier: 2\n    maxTurn: 3\n',
      'line 4, tiers.0.maxTurn: Unknown field maxTurn. Did you mean maxTurns?',
    ],
    [
      'name: Shop\nservices:\n  - name: web\n    checks:\n      - {type: http, target: x, timeout: 3}\n',
      'line 5, services.0.checks.0.timeout: Unknown field timeout. Did you mean timeoutSeconds?',
    ],
    [
      'name: Shop\nschedule:\n  kind: interval\n  everySeconds: 60\n  expression: "* * * * *"\n',
      'line 5, schedule.expression: Unknown field expression.',
    ],
    ['name: Shop\napprovals: {people: 3}\n', 'line 2, approvals.people: Choose 1 or 2 people.'],
    [
      'name: Shop\napprovals:\n  holdSecond: 2\n',
      'line 3, approvals.holdSecond: Unknown field holdSecond. Did you mean holdSeconds?',
    ],
    ['name: Shop\nmaxTier: 7\n', 'line 2, maxTier: Invalid input'],
    ['name: Shop\ntiers: [\n', 'It is not YAML'],
    ['name: Shop\nname: Other\n', 'line 2: It is not YAML: Map keys must be unique.'],
    ['maxTier: 1\n', 'name: '],
  ])('%j', (yaml, problem) => {
    const read = readYaml(yaml);
    expect(read.ok ? '' : read.problems.map(problemText).join('\n')).toContain(problem);
  });
});

it('[SEC-3.4] a file has no character that acts on a terminal, and reads as the same texts', () => {
  const instructions = 'a\u001b]0;b\u0007 \u202egpj.exe\r\u009b31m\nnext line';
  const config = { ...DEFAULT_CONFIG, instructions };
  const file = writeYaml(toDocument({ name: 'Shop', slug: 'shop', config }));
  expect(file).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(parse(file).instructions).toBe(instructions);
});
