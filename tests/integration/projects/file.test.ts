/** A project as a file: out, over, and in again. */

import { beforeEach, describe, expect, it } from 'vitest';
import { tierModelsOf } from '@/lib/agents/registry';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { applyFile, compareFile, exportProject } from '@/lib/projects/file';
import { compareVersions, listVersions } from '@/lib/projects/versions';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const project = 'checkout';
let cast: Cast;
beforeEach(async () => {
  cast = await makeCast();
});

describe('the file of a project', () => {
  it('[SAS-2.1] [SAS-2.2] changes what was edited in it, as a version that says where it came from', async () => {
    const file = await exportProject(cast.alice, project);
    expect(await compareFile(cast.alice, { project, text: file }, tierModelsOf)).toMatchObject({
      changes: [],
      problems: [],
    });
    const text = file.replace('dryRun: false', 'dryRun: true');
    const { changes, version } = await compareFile(cast.alice, { project, text }, tierModelsOf);
    expect(changes).toEqual([{ path: 'dryRun', before: false, after: true }]);
    const saved = await applyFile(
      cast.alice,
      { project, text, baseVersion: version },
      tierModelsOf,
    );
    expect(saved).toEqual({ version: 2, slug: project, warnings: [] });
    expect((await compareFile(cast.alice, { project, text }, tierModelsOf)).changes).toEqual([]);
    expect((await listVersions(cast.alice, project))[0]).toMatchObject({
      author: cast.alice.actor.label,
      note: 'Applied a file',
      changes,
    });
    expect(await compareVersions(cast.alice, { project, from: 2, to: 1 })).toEqual([
      { path: 'dryRun', before: true, after: false },
    ]);
  });

  it('[SAS-2.1] is refused by line for what only the whole can say, and nothing is saved', async () => {
    const text = [
      'name: Checkout',
      'services:',
      '  - {name: web, checks: []}',
      '  - {name: web, checks: []}',
      'schedule: {kind: cron, expression: "0 0 31 2 *"}',
    ].join('\n');
    const { problems } = await compareFile(cast.alice, { project, text }, tierModelsOf);
    expect(problems).toEqual([
      expect.objectContaining({ line: 5, path: 'schedule' }),
      expect.objectContaining({ line: 4, path: 'services.1.name' }),
    ]);
    const applied = applyFile(cast.alice, { project, text, baseVersion: 1 }, tierModelsOf);
    await expect(applied).rejects.toThrow('line 4, services.1.name: This name is used');
    expect(await inTransaction(cast.alice, (db) => db.projectVersion.count())).toBe(1);
  });

  it('[SAS-2.2] is not applied over what someone saved since it was compared', async () => {
    const text = 'name: Checkout\ndryRun: true\n';
    await applyFile(
      cast.alice,
      { project, text: 'name: Checkout\nmaxTier: 2\n', baseVersion: 1 },
      tierModelsOf,
    );
    await expect(
      applyFile(cast.alice, { project, text, baseVersion: 1 }, tierModelsOf),
    ).rejects.toThrow('Someone saved v2 while you edited.');
  });

  it('[SAS-1.3] is read by viewers, applied by admins, and not there for others', async () => {
    const viewer = { ...cast.alice, role: 'viewer' } as const;
    const text = 'name: Checkout\ndryRun: true\n';
    expect((await compareFile(viewer, { project, text }, tierModelsOf)).changes).toHaveLength(1);
    const applied = applyFile(viewer, { project, text, baseVersion: 1 }, tierModelsOf);
    await expect(applied).rejects.toThrow(ForbiddenError);
    const other = await makeCast();
    await inTransaction(other.alice, (db) => db.project.updateMany({ data: { slug: 'theirs' } }));
    await expect(exportProject(cast.alice, 'theirs')).rejects.toThrow(NotFoundError);
  });
});
