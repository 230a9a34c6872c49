import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { attentionOf } from '@/lib/insight/dashboard/attention';
import { getOverview } from '@/lib/insight/dashboard/get-overview';
import { rowsOf } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError, ForbiddenError } from '@/lib/platform/errors';
import { DEFAULT_TIERS } from '@/lib/projects/default-tiers';
import { adoptDefaultRules } from '@/lib/projects/manage-project';
import { LEAKING_RULES } from '@/lib/projects/rules/retired';
import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import { getCurrentProject } from '@/lib/projects/versions';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

function tiersWith(changes: Partial<TierPolicy>[]): ProjectConfig['tiers'] {
  const [one, two, three] = DEFAULT_TIERS;
  return [
    { ...one, ...changes[0] },
    { ...two, ...changes[1] },
    { ...three, ...changes[2] },
  ];
}

async function isWarnedAbout({ alice }: Cast): Promise<boolean> {
  const overview = await getOverview(alice);
  return attentionOf(overview).some(({ kind }) => kind === 'leaking_rules');
}

describe('[ENG-5.4] a project with default rules of an earlier version', () => {
  it('is listed on the home page until someone adopts the current ones, which is a version', async () => {
    const cast = await makeCast({
      tiers: tiersWith([{ allowedTools: ['Bash(dig:*)', 'Bash(./own.sh)'] }]),
    });
    expect(await isWarnedAbout(cast)).toBe(true);
    const { projectSlug: project, alice } = cast;
    expect(await adoptDefaultRules(alice, { project, baseVersion: 1 })).toEqual({
      version: 2,
      warnings: [],
    });
    const { config, version } = await getCurrentProject(alice, project);
    expect(version).toBe(2);
    expect(config.tiers[0].allowedTools).toEqual([
      ...['Bash(dig {host})', 'Bash(dig +short {host})', 'Bash(./own.sh)'],
    ]);
    expect(config.tiers[1]).toEqual(DEFAULT_TIERS[1]);
    expect(await isWarnedAbout(cast)).toBe(false);
    const entries = await inTransaction(alice, (db) =>
      db.auditLog.findMany({ where: { action: 'project.saved' } }),
    );
    expect(JSON.stringify(entries.map(({ detail }) => detail))).toContain('dig {host}');
  });

  it('stays as it is when someone saved in between, and when a viewer asks', async () => {
    const cast = await makeCast({ tiers: tiersWith([{ allowedTools: ['Bash(dig:*)'] }]) });
    const { projectSlug: project, alice } = cast;
    await expect(adoptDefaultRules(alice, { project, baseVersion: 7 })).rejects.toThrow(
      ConflictError,
    );
    const viewer = { ...alice, role: 'viewer' as const };
    await expect(adoptDefaultRules(viewer, { project, baseVersion: 1 })).rejects.toThrow(
      ForbiddenError,
    );
    expect(await isWarnedAbout(cast)).toBe(true);
  });

  it('is found by the database for exactly the rules that the code names', async () => {
    const cast = await makeCast();
    const configs: { rule: string; tiers: ProjectConfig['tiers'] }[] = [];
    const add = (rule: string, tier: 1 | 2 | 3, isEnabled = true) => {
      const changes: Partial<TierPolicy>[] = [{}, {}, {}];
      changes[tier - 1] = { allowedTools: [rule], isEnabled };
      configs.push({
        rule: `${rule} in tier ${tier}${isEnabled ? '' : ', off'}`,
        tiers: tiersWith(changes),
      });
    };
    const current = DEFAULT_TIERS.flatMap(({ allowedTools }) => allowedTools);
    const other = [
      'Bash(docker restart:*)',
      'Bash(docker compose:*)',
      'Bash(dig)',
      'Write',
      'Edit',
    ];
    for (const rule of new Set([
      ...LEAKING_RULES,
      ...current.filter((each) => !LEAKING_RULES.includes(each)),
      ...other,
    ])) {
      add(rule, 1);
    }
    add('Bash(dig:*)', 2);
    add('Bash(dig:*)', 2, false);
    add('Bash(dig:*)', 3);
    const found = await inTransaction(cast.alice, async (db) => {
      await db.projectVersion.createMany({
        data: configs.map(({ tiers }, at) => ({
          organizationId: cast.alice.organizationId,
          projectId: cast.projectId,
          version: at + 2,
          config: testConfig({ tiers }),
          author: 'Alice',
        })),
      });
      return await rowsOf(
        db,
        sql<{ version: number }>`select version from project_version where has_leaking_rules`,
      );
    });
    expect(found.map(({ version }) => configs[version - 2]?.rule).toSorted()).toEqual(
      [...LEAKING_RULES.map((rule) => `${rule} in tier 1`), 'Bash(dig:*) in tier 2'].toSorted(),
    );
  });
});
