/** Saving checks of every kind: through the service and through the API. */
import { describe, expect, it } from 'vitest';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ForbiddenError, InvalidError } from '@/lib/platform/errors';
import { getProject, saveProject } from '@/lib/projects/manage-project';
import { getConfig } from '@/lib/projects/project-rows';
import { restoreVersion } from '@/lib/projects/versions';
import { type CheckSpec, checkSchema } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const check = (fields: object): CheckSpec => checkSchema.parse(fields);
const admin = (cast: Cast) => ({ ...cast.alice, role: 'admin' }) as const;

async function save(cast: Cast, who: Cast['alice'], checks: CheckSpec[]) {
  const { version, config } = await inTransaction(cast.alice, async (db) => {
    const row = await db.project.findFirstOrThrow({ where: { id: cast.projectId } });
    const own = await getConfig(db, row.id, row.currentVersion);
    return { version: row.currentVersion, config: own };
  });
  const project = await getProject(cast.alice, 'checkout');
  return saveProject(who, {
    projectId: cast.projectId,
    baseVersion: version,
    name: project.name,
    slug: project.slug,
    config: { ...config, services: [{ name: 'web', checks }] },
  });
}

async function refusal(saved: Promise<unknown>): Promise<Record<string, string>> {
  const error = await saved.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InvalidError);
  return error instanceof InvalidError ? error.fields : {};
}

const HTTP = check({
  type: 'http',
  target: 'https://shop.test/health',
  expectJson: { path: '$.status', oneOf: ['ok', 'starting'] },
  headers: [{ name: 'Accept', value: 'application/json' }],
  maxResponseMs: 800,
  everySeconds: 30,
});
const TLS = check({ type: 'tls', target: 'shop.test', warnDays: 30 });
const UNLISTED = check({ type: 'command', target: 'my-probe --all', isAllowedByOwner: true });

describe('[INC-1.1] the checks of a project', () => {
  it('are stored and read as they were saved', async () => {
    const cast = await makeCast();
    const checks = [
      HTTP,
      TLS,
      check({ type: 'dns', target: 'shop.test', recordType: 'A', expectValues: ['10.0.0.7'] }),
      check({
        type: 'prometheus',
        target: 'http://p:9090',
        query: 'up',
        operator: '>=',
        threshold: 1,
      }),
      check({ type: 'command', target: 'df -P /srv', exitCodes: [0, 1] }),
      check({ type: 'heartbeat', target: 'backup', periodSeconds: 3_600, graceSeconds: 60 }),
    ];
    await save(cast, cast.alice, checks);
    expect((await getProject(cast.alice, 'checkout')).services[0]?.checks).toEqual(checks);
  });

  it('are refused with the place of every mistake, and nothing is saved', async () => {
    const cast = await makeCast();
    const before = await getProject(cast.alice, 'checkout');
    const wrong = [
      { ...HTTP, timeoutSeconds: 30 },
      { ...HTTP, target: 'https://shop.test/other', headers: [{ name: 'Cookie', value: 'x' }] },
      { ...TLS, expectStatus: 200 },
    ];
    expect(Object.keys(await refusal(save(cast, cast.alice, wrong)))).toEqual([
      'services.0.checks.0.timeoutSeconds',
      'services.0.checks.1.headers',
      'services.0.checks.2.expectStatus',
    ]);
    expect(await getProject(cast.alice, 'checkout')).toEqual(before);
  });
});

describe('[INC-1.1] a command that the catalog doesn’t list as harmless', () => {
  it('is allowed by an owner alone, and then stays when others save', async () => {
    const cast = await makeCast();
    const listed = check({ type: 'command', target: 'df -P /srv' });
    await save(cast, admin(cast), [listed]);
    expect(await refusal(save(cast, admin(cast), [listed, UNLISTED]))).toEqual({
      'services.0.checks.1.target': expect.stringMatching(/^Only an owner .* “my-probe --all”/),
    });
    await save(cast, cast.alice, [listed, UNLISTED]);
    await save(cast, admin(cast), [UNLISTED, listed, TLS]);
    // Another argument is another command.
    const changed = { ...UNLISTED, target: 'my-probe --all --fix' };
    await refusal(save(cast, admin(cast), [changed]));
    const operator = { ...cast.alice, role: 'operator' } as const;
    await expect(save(cast, operator, [listed])).rejects.toThrow(ForbiddenError);
  });

  it('does not come back with an older version, unless an owner restores it', async () => {
    const cast = await makeCast();
    await save(cast, cast.alice, [UNLISTED]);
    await save(cast, cast.alice, [TLS]);
    const input = { project: 'checkout', version: 2, baseVersion: 3 };
    const restore = (who: Cast['alice']) => restoreVersion(who, input);
    await refusal(restore(admin(cast)));
    await restore(cast.alice);
    expect((await getProject(cast.alice, 'checkout')).services[0]?.checks).toEqual([UNLISTED]);
  });
});
