import { describe, expect, it } from 'vitest';
import { moduleOf, RULES } from './modules';
import { importsOf, productSources, type SourceFile } from './source-files';

const sources = productSources();

/** Each breaks one rule, and would in the product. */
const PLANTED: [title: string, files: Record<string, string[]>][] = [
  ['every file of lib belongs to a module', { 'lib/helpers.ts': [] }],
  ['every file of lib belongs to a module', { 'lib/common/strings.ts': [] }],
  ['a module imports earlier modules only', { 'lib/engine/claim.ts': ['@/lib/insight/feed'] }],
  ['a module imports earlier modules only', { 'lib/projects/a.ts': ['@/lib/agents/agent'] }],
  [
    'folders of a module do not import each other in a circle',
    {
      'lib/engine/sweep/a.ts': ['../chains/b'],
      'lib/engine/chains/c.ts': ['../budget/d'],
      'lib/engine/budget/d.ts': ['../sweep/e'],
    },
  ],
  [
    'folders of a module do not import each other in a circle',
    {
      'lib/engine/kinds/turn/claim/a.ts': ['../settle/b'],
      'lib/engine/kinds/turn/settle/c.ts': ['../claim/d'],
    },
  ],
  [
    'files do not import each other in a circle',
    { 'lib/engine/settle.ts': ['./claim'], 'lib/engine/claim.ts': ['./settle'] },
  ],
  ["nobody imports another module's data files", { 'app/page.tsx': ['@/lib/engine/chains/data'] }],
  [
    "nobody imports another module's data files",
    { 'lib/insight/a.ts': ['@/lib/engine/attempt/context-data'] },
  ],
  ['lib imports nothing from the entry points', { 'lib/engine/a.ts': ['@/workers/registry'] }],
  [
    'only the registry knows an agent CLI by name',
    { 'lib/engine/ending/a.ts': ['@/lib/agents/claude/classify'] },
  ],
  [
    'only the registry knows an agent CLI by name',
    { 'workers/runner/a.ts': ['@/lib/agents/demo/demo-agent'] },
  ],
  ['only the registry knows an agent CLI by name', { 'lib/agents/booking.ts': ['./claude/usage'] }],
  [
    'only platform, data files and *-rows.ts know Prisma',
    { 'lib/engine/claim.ts': ['@/generated/prisma/client'] },
  ],
  ['only platform, data files and *-rows.ts know Prisma', { 'app/page.tsx': ['pg'] }],
  ['only platform, data files and *-rows.ts know Prisma', { 'lib/engine/claim.ts': ['kysely'] }],
  ['modules know nothing of Next or React', { 'lib/engine/claim.ts': ['next/headers'] }],
];

function planted(files: Record<string, string[]>): SourceFile[] {
  return Object.entries(files).map(([path, specifiers]) => {
    const text = specifiers.map((specifier) => `import { a } from '${specifier}';`).join('\n');
    return { path, text, imports: importsOf(path, text) };
  });
}

describe('[ENG-1.1] the modules of lib', () => {
  it.each(RULES.map((rule) => [rule.title, rule] as const))('%s', (_, { advice, violations }) => {
    const found = violations(sources);
    expect(found, `${advice}\n${found.join('\n')}`).toEqual([]);
  });

  it.each(PLANTED)('%s: %j is found', (title, files) => {
    const [rule] = RULES.filter((each) => each.title === title);
    expect(rule?.violations(planted(files))).not.toEqual([]);
    expect(rule?.advice, 'says what to do instead').toMatch(/^[A-Z].*\.$/);
  });

  it('has a planted violation for every rule', () => {
    const titles = new Set(PLANTED.map(([title]) => title));
    expect(RULES.map(({ title }) => title).filter((title) => !titles.has(title))).toEqual([]);
  });

  it('are told by their folder', () => {
    expect(moduleOf('lib/engine/chains/data.ts')).toBe('engine');
    expect(moduleOf('lib/env.ts')).toBeNull();
    expect(moduleOf('app/chains/page.tsx')).toBeNull();
  });
});
