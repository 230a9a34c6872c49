/** Who may see what a version changes about commands, over the route of the settings pages. */
import { beforeEach, expect, it } from 'vitest';
import { POST } from '@/app/(dashboard)/[orgSlug]/projects/[projectSlug]/policy-preview/route';
import { makeTenant } from '@/tests/integration/api/support/tenant';
import { joined } from '@/tests/integration/members/people';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { useSignedIn } from '@/tests/support/signed-in';

useTestDatabase();

const caller = useSignedIn();

let cast: Cast;
beforeEach(async () => {
  cast = await makeCast();
  const { user } = await joined(cast.alice, 'viewer');
  caller.user = { ...user, name: 'Vic', authSessionId: user.id };
});

const NEXT = { policy: testConfig({ maxTier: 1 }) };

async function ask(next: object, site = 'same-origin', organization = cast.organizationSlug) {
  const request = new Request('http://tierwatch.test/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': site },
    body: JSON.stringify({ baseVersion: 1, next }),
  });
  const params = { orgSlug: organization, projectSlug: cast.projectSlug };
  const answer = await POST(request, { params: Promise.resolve(params) });
  return { status: answer.status, body: await answer.json() };
}

it('[BND-5.2] a viewer sees the preview of each way to save a version', async () => {
  const changed = [{ tier: 2 }, { tier: 3 }];
  expect(await ask(NEXT)).toMatchObject({ status: 200, body: { days: 30, tiers: changed } });
  const text = 'name: Checkout\nmaxTier: 1\n';
  expect(await ask({ text })).toMatchObject({ status: 200, body: { tiers: changed } });
  expect(await ask({ version: 1 })).toMatchObject({ status: 200, body: { tiers: [] } });
});

it.each<[string, object, number]>([
  ['a version that does not exist', { version: 7 }, 404],
  ['a file with a problem', { text: 'name: Checkout\nmaxtier: 1\n' }, 422],
  ['an empty policy', { policy: {} }, 422],
])('[BND-5.2] %s is refused', async (_title, next, status) => {
  expect((await ask(next)).status).toBe(status);
});

it('[SAS-1.3] nobody else sees it, and no other site asks for it', async () => {
  expect((await ask(NEXT, 'cross-site')).status).toBe(403);
  const other = await makeTenant('Elsewhere');
  expect((await ask(NEXT, 'same-origin', other.slug)).status).toBe(404);
  caller.user = null;
  expect((await ask(NEXT)).status).toBe(401);
});
