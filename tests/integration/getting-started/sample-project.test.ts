/** The sample project: who can load it, and what it lets them break. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isSampleAvailable, loadSampleProject } from '@/lib/fleet/sample-project';
import { env } from '@/lib/platform/env';
import { ForbiddenError, NotFoundError, PreconditionFailedError } from '@/lib/platform/errors';
import { breakDemoService, getDemoStatus, hasSample } from '@/lib/projects/demo-service/client';
import { getCurrentProject } from '@/lib/projects/versions';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { type RunningDemo, startDemo } from '@/tests/support/demo/service';
import { withRole } from '../accounts/people';

useTestDatabase();

let demo: RunningDemo | null = null;
let dir = '';
let before = '';

// A data folder without the services of an installation that runs beside the tests.
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sample-'));
  before = env().dataDir;
  Object.assign(env(), { dataDir: dir });
});
afterAll(async () => {
  await demo?.stop();
  Object.assign(env(), { dataDir: before });
  await rm(dir, { recursive: true, force: true });
});

it('[PAG-2.2] is offered nowhere without the demo service', async () => {
  const { alice } = await makeCast();
  expect(await isSampleAvailable()).toBe(false);
  await expect(loadSampleProject(alice)).rejects.toThrow(PreconditionFailedError);
});

it('[PAG-2.2] watches the demo’s services, in the pool of the runner, and lets its organization break them', async () => {
  const { alice, projectId } = await makeCast();
  const stranger = (await makeCast()).alice;
  demo = await startDemo(env().dataDir);
  expect(await isSampleAvailable()).toBe(true);
  await expect(loadSampleProject(withRole(alice, 'operator'))).rejects.toThrow(ForbiddenError);
  await expect(breakDemoService(alice, 'crash')).rejects.toThrow(NotFoundError);

  const { slug } = await loadSampleProject(alice);
  const { id, config } = await getCurrentProject(alice, slug);
  expect(config).toMatchObject({ harness: 'demo', maxTier: 3, runnerPool: 'default' });
  // Its page leads from Break it to Run now: nothing else starts a chain meanwhile.
  expect(config.monitoring.everySeconds).toBeNull();
  expect(await hasSample(alice, id)).toBe(true);
  expect(await hasSample(alice, projectId)).toBe(false);
  expect((await loadSampleProject(alice)).slug).not.toBe(slug);

  await breakDemoService(withRole(alice, 'operator'), 'crash');
  expect(await getDemoStatus()).toMatchObject([{ name: 'web', isUp: false }, {}, {}]);
  await expect(breakDemoService(stranger, 'crash')).rejects.toThrow(NotFoundError);
});
