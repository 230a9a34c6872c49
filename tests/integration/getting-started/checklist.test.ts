/** The ticks of "Get started", each from the row that makes it true. */
import { expect, it } from 'vitest';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { startChain } from '@/lib/engine/chains/start-chain';
import { inviteMember, revokeInvitation } from '@/lib/identity/invitations/manage-invitations';
import { dismissChecklist } from '@/lib/identity/organizations/service';
import { getChecklist } from '@/lib/insight/checklist';
import { ForbiddenError } from '@/lib/platform/errors';
import { saveProject } from '@/lib/projects/manage-project';
import { makeCast, testConfig } from '@/tests/support/cast/organization';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { selectAll, signedUp, withRole } from '../accounts/people';

const database = useTestDatabase();

const OBSERVE_ONLY = { maxTier: 1 as const };

type Scope = Parameters<typeof getChecklist>[0];
const ticks = async (scope: Scope) =>
  (await getChecklist(scope))?.filter(({ isDone }) => isDone).map(({ key }) => key);

it('[PAG-2.2] a new organization has everything before it', async () => {
  const { scope } = await signedUp();
  expect(await ticks(scope)).toEqual([]);
});

it('[PAG-2.2] each step is ticked by what was done, and unticked when that is undone', async () => {
  const { alice, projectId, projectSlug, runner } = await makeCast(OBSERVE_ONLY);
  expect(await ticks(alice)).toEqual(['runner']);

  await startChain(alice, { projectId, trigger: 'manual' });
  expect(await ticks(alice)).toEqual(['runner']);
  await play(runner, await claimNext(runner), { report: {} });
  expect(await ticks(alice)).toEqual(['runner', 'chain']);

  const invitation = await inviteMember(alice, { email: 'bo@example.com', role: 'operator' });
  expect(await ticks(alice)).toEqual(['runner', 'chain', 'invite']);
  await revokeInvitation(alice, invitation.id);
  expect(await ticks(alice)).toEqual(['runner', 'chain']);
  await inviteMember(alice, { email: 'bo@example.com', role: 'operator' });

  const saved = { projectId, name: 'Checkout', slug: projectSlug };
  await saveProject(alice, { ...saved, baseVersion: 1, config: testConfig({ maxTier: 2 }) });
  expect(await ticks(alice)).toEqual(['runner', 'chain', 'tier2', 'invite']);

  await createEndpoint(alice, {
    url: 'https://receiver.example/hook',
    description: '',
    eventTypes: ['chain.completed'],
    projectId: null,
  });
  expect(await getChecklist(alice)).toBeNull();
});

it('[PAG-2.2] an admin dismisses it for everybody, once in the audit log', async () => {
  const { alice } = await makeCast(OBSERVE_ONLY);
  const viewer = withRole(alice, 'viewer');
  expect(() => dismissChecklist(viewer)).toThrow(ForbiddenError);
  expect(await ticks(viewer)).toEqual(['runner']);
  await dismissChecklist(alice);
  await dismissChecklist(alice);
  expect(await getChecklist(viewer)).toBeNull();
  const entries = await selectAll(
    database,
    `select 1 from audit_log where action = 'organization.checklist_dismissed' and organization_id = $1`,
    [alice.organizationId],
  );
  expect(entries).toHaveLength(1);
});
