/** Every way into an organization, taken by every role: the matrix says who gets through. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerAction } from '@/app/_actions/action';
import type { ActionResult } from '@/app/_actions/result';
import * as authentication from '@/lib/api/authenticate';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { MIN_ROLE, mayDo } from '@/lib/identity/tenancy/role-matrix';
import { ROLES, type Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { ROOT, sourceFiles } from '@/tests/architecture/source-files';
import { makeOwnIds } from '@/tests/integration/api/support/own-ids';
import { makeTenant, type Tenant } from '@/tests/integration/api/support/tenant';
import { joined } from '@/tests/integration/members/people';
import { useTestDatabase } from '@/tests/support/database';
import { useSignedIn } from '@/tests/support/signed-in';
import { ACTS_OF_ACTIONS, type World } from './support/acts-of-actions';
import { bodyOf, nameOf, WALK } from './support/walk';

useTestDatabase();

const caller = useSignedIn();
/** Who calls a route of the API. */
const client: { scope?: TenantScope } = {};
beforeEach(() => {
  vi.spyOn(authentication, 'authenticate').mockImplementation(
    async () => ({ scope: client.scope, user: null }) as never,
  );
});

interface Walk {
  tenant: Tenant;
  people: Record<Role, { user: SignedInUser; scope: TenantScope }>;
  world: World & Record<string, string>;
}

async function startWalk(): Promise<Walk> {
  const tenant = await makeTenant();
  const ids = await makeOwnIds(tenant);
  const { memberId } = await joined(tenant.scope, 'viewer', 'Whom it is about');
  const person = async (role: Role) => {
    const { user, scope } = await joined(tenant.scope, role);
    return { user: { ...user, name: role, authSessionId: user.id }, scope };
  };
  const people = {
    viewer: await person('viewer'),
    operator: await person('operator'),
    admin: await person('admin'),
    owner: await person('owner'),
  };
  const names = [
    'projectSlug',
    'chainId',
    'sessionId',
    'runnerId',
    'endpointId',
    'deliveryId',
  ] as const;
  const [projectSlug, chainId, sessionId, runnerId, endpointId, deliveryId] = names.map(
    (name) => ids[name] ?? '',
  ) as [string, string, string, string, string, string];
  const { tokenId = '', invitationId = '', channelId = '', sourceId = '' } = ids;
  const { policyId = '' } = ids;
  const { conversationId = '', turnId = '', questionId = '' } = ids;
  const { approvalId = '', approvalDigest = '', incidentId = '', heartbeatId = '' } = ids;
  const known = {
    projectSlug,
    chainId,
    sessionId,
    runnerId,
    endpointId,
    deliveryId,
    tokenId,
    invitationId,
    channelId,
    policyId,
    sourceId,
    heartbeatId,
    conversationId,
    turnId,
    questionId,
    approvalId,
    approvalDigest,
    incidentId,
  };
  return { tenant, people, world: { ...ids, ...known, memberId } };
}

/** What has no organization: one's own account, and what anyone may call. */
const HAS_NO_ROLE = /auth: '(?:public|user)'|= leavingAction\(/;
/** The operation is walked below. */
const IS_OPERATION = /^export const \w+ = actionOf\(/;

function actionsOfOrganizations(): string[] {
  return sourceFiles('app')
    .filter((file) => file.text.startsWith("'use server'"))
    .flatMap((file) =>
      file.text
        .split(/\n(?=export )/)
        .slice(1)
        .filter((text) => !HAS_NO_ROLE.test(text) && !IS_OPERATION.test(text))
        .map((text) => `${file.path} ${/^export const (\w+)/.exec(text)?.[1]}`),
    );
}

type AnyAction = ServerAction<'member', Record<string, unknown>, unknown>;

async function loadAction(name: string): Promise<AnyAction> {
  const [file = '', exported = ''] = name.split(/ (?=\w+$)/);
  const loaded: Record<string, AnyAction> = await import(path.join(ROOT, file));
  const found = loaded[exported];
  if (!found) throw new Error(`There is no action ${name}.`);
  return found;
}

/** `done`, `redirected`, or the code of the error. */
async function answerOf(call: () => Promise<ActionResult<unknown>>): Promise<string> {
  try {
    const answer = await call();
    return answer.ok ? 'done' : answer.error.code;
  } catch (error) {
    if (String(error).includes('NEXT_REDIRECT')) return 'redirected';
    throw error;
  }
}

const REFUSED = ['forbidden', 'unauthenticated', 'invalid', 'not_found', 'unknown'];
/** Says not found in every organization but the demo, once the role was looked at. */
const NEEDS_THE_DEMO = /breakDemo$/;

describe('every server action of an organization', () => {
  let walk: Walk;
  beforeAll(async () => {
    walk = await startWalk();
  });

  it('[SAS-1.2] has its row in tests/integration/tenancy/support/acts-of-actions.ts', () => {
    expect(Object.keys(ACTS_OF_ACTIONS).toSorted()).toEqual(actionsOfOrganizations().toSorted());
  });

  it.each(Object.entries(ACTS_OF_ACTIONS))('[SAS-1.2] %s', async (name, { act, input }) => {
    const call = await loadAction(name);
    const { world, people, tenant } = walk;
    const as = (user: SignedInUser | null) => {
      caller.user = user;
      return answerOf(() => call({ ...input(world), organizationSlug: tenant.slug }));
    };
    expect(await as(null), 'nobody').toBe('unauthenticated');
    const { scope } = await makeTenant(`Elsewhere ${randomUUID()}`);
    const outsider = { ...people.owner.user, id: scope.actor.id, label: scope.actor.label };
    expect(await as(outsider), 'an outsider').toBe('not_found');
    for (const role of ROLES) {
      const answer = await as(people[role].user);
      if (!mayDo(role, act)) expect(answer, role).toBe('forbidden');
      else if (role === MIN_ROLE[act] && !NEEDS_THE_DEMO.test(name) && !isWrongOnPurpose(name))
        expect(REFUSED, `${role}: ${answer}`).not.toContain(answer);
      else expect(['forbidden', 'unauthenticated', 'unknown'], role).not.toContain(answer);
    }
  });
});

/** Its input stops it after the role was looked at: the walk still needs the organization. */
function isWrongOnPurpose(name: string): boolean {
  return name.endsWith('deleteOrganization');
}

describe('the server action of an operation', () => {
  let walk: Walk;
  beforeAll(async () => {
    walk = await startWalk();
  });

  it('[SAS-1.2] answers by who calls it, names a wrong field, and does it', async () => {
    const call = await loadAction(
      'app/(dashboard)/[orgSlug]/projects/[projectSlug]/incidents/[number]/actions.ts resolveIncident',
    );
    const { tenant, people, world } = walk;
    const as = (user: SignedInUser | null, note = '') => {
      caller.user = user;
      return call({ organizationSlug: tenant.slug, incidentId: world.incidentId, note });
    };
    const refused = (code: string) => ({ ok: false, error: { code } });
    expect(await as(null)).toMatchObject(refused('unauthenticated'));
    const { scope } = await makeTenant(`Elsewhere ${randomUUID()}`);
    const outsider = { ...people.owner.user, id: scope.actor.id, label: scope.actor.label };
    expect(await as(outsider)).toMatchObject(refused('not_found'));
    expect(await as(people.viewer.user)).toMatchObject(refused('forbidden'));
    const tooLong = await as(people.operator.user, 'x'.repeat(2_001));
    expect(tooLong).toMatchObject({
      ok: false,
      error: { code: 'invalid', fields: { note: 'A note has at most 2,000 characters.' } },
    });
    expect(await as(people.operator.user)).toMatchObject({ ok: true });
    expect(await as(people.operator.user)).toMatchObject(refused('conflict'));
  });
});

describe('every operation', () => {
  let walk: Walk;
  beforeAll(async () => {
    walk = await startWalk();
  });

  it.each(WALK.map((each) => [nameOf(each), each] as const))(
    '[SAS-1.2] %s',
    async (_, operation) => {
      const { act, handler } = operation;
      const { method, path: at } = handler.description;
      for (const role of ROLES) {
        client.scope = walk.people[role].scope;
        const sent = bodyOf(operation, walk.world);
        const request = new Request(`http://tierwatch.test${at}`, {
          method,
          ...(sent
            ? { body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }
            : {}),
        });
        const params = Promise.resolve<Record<string, string>>(walk.world);
        const { status } = await handler(request, { params });
        if (!mayDo(role, act)) expect(status, role).toBe(403);
        else if (role === MIN_ROLE[act]) expect([200, 201, 202, 204, 409, 412]).toContain(status);
        else expect([401, 403, 500], role).not.toContain(status);
      }
    },
  );
});
