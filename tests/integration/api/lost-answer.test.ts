/** A web process that dies between any two writes of a POST under an Idempotency-Key. */

import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { ABANDONED_MS } from '@/lib/platform/http/idempotency';
import { makeCast } from '@/tests/support/cast/organization';
import { runUntilKilled } from '@/tests/support/crash/crashing-process';
import type { ChainRequest } from '@/tests/support/crash/task';
import { useTestDatabase } from '@/tests/support/database';
import { openApi } from './support/api';
import { makeTenant } from './support/tenant';

const database = useTestDatabase();
/** Requests that one process is killed in: fewer than it has connections. */
const AT_ONCE = 8;

async function newRequest(freezeAfter: number): Promise<ChainRequest> {
  const { alice, projectSlug } = await makeCast();
  const { token } = await createApiToken(alice, {
    name: 'deploy',
    scopes: ['all'],
    expiresInDays: 1,
  });
  const { organizationId } = alice;
  return { organizationId, token, project: projectSlug, key: 'deploy-4711', freezeAfter };
}

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const chainsOf = ({ organizationId }: ChainRequest) =>
  query<{ number: number }>('select number from chain where organization_id = $1', [
    organizationId,
  ]);

async function repeat({ project, token, key }: ChainRequest) {
  const api = await openApi();
  const response = await api('POST', `projects/${project}/chains`, {
    token,
    body: {},
    headers: { 'idempotency-key': key },
  });
  const isReplay = response.headers.get('idempotency-replayed') === 'true';
  return { status: response.status, isReplay, json: await response.json() };
}

/** As if the first request had been sent longer ago than a request can run. */
const makeAbandoned = ({ organizationId }: ChainRequest) =>
  query(
    `update idempotency_key set created_at = created_at - $2 * interval '1 millisecond'
     where organization_id = $1`,
    [organizationId, ABANDONED_MS + 1],
  );

describe('a POST whose answer was lost', () => {
  it('[FLT-3.1] its repeat returns the one chain, whichever write was the last before the crash', async () => {
    const seen = { before: 0, after: 0 };
    let cutOff = 0;
    for (let first = 1; cutOff === first - 1; first += AT_ONCE) {
      const requests: ChainRequest[] = [];
      for (let index = 0; index < AT_ONCE; index += 1) {
        requests.push(await newRequest(first + index));
      }
      const now = new Date().toISOString();
      const frozen = await runUntilKilled(database, { kind: 'post_chain', requests, now });
      cutOff += frozen.size;
      for (const request of requests) {
        const wasCreated = (await chainsOf(request)).length === 1;
        const at = `write ${request.freezeAfter}`;
        if (!wasCreated) {
          // Nothing is left of it but perhaps the reservation, which nobody can answer yet.
          const early = await repeat(request);
          expect([201, 409], at).toContain(early.status);
          await makeAbandoned(request);
        }
        const again = await repeat(request);
        expect(again.status, at).toBe(201);
        expect(again.json, at).toMatchObject({ number: 1, trigger: 'api' });
        if (wasCreated) expect(again.isReplay, at).toBe(true);
        expect((await repeat(request)).json, at).toEqual(again.json);
        expect(await chainsOf(request), at).toEqual([{ number: 1 }]);
        seen[wasCreated ? 'after' : 'before'] += 1;
      }
    }
    expect(seen.before).toBeGreaterThan(3);
    expect(seen.after).toBeGreaterThan(3);
  });

  it('[FLT-3.1] its repeat gets the chain even after the chain ended and another one started', async () => {
    const request = await newRequest(0);
    const first = await repeat(request);
    await query(
      `update idempotency_key set status = null, response = null,
         created_at = created_at - $2 * interval '1 millisecond' where organization_id = $1`,
      [request.organizationId, ABANDONED_MS + 1],
    );
    const api = await openApi();
    const { token } = request;
    await api('POST', `chains/${first.json.id}/stop`, { token, body: {} });
    const second = await api('POST', `projects/${request.project}/chains`, { token, body: {} });
    expect(second.status).toBe(201);
    const again = await repeat(request);
    expect([again.status, again.isReplay]).toEqual([201, true]);
    expect(again.json.id).toBe(first.json.id);
    expect(await chainsOf(request)).toHaveLength(2);
  });

  it('names what exists where the answer shows a secret once, and creates no second one', async () => {
    const tenant = await makeTenant('Lost');
    const token = await tenant.token('all');
    const api = await openApi();
    const post = () =>
      api('POST', 'tokens', {
        token,
        body: { name: 'ci', scopes: ['projects:read'] },
        headers: { 'idempotency-key': 'once' },
      });
    const { id } = await (await post()).json();
    await query(
      'update idempotency_key set status = null, response = null where organization_id = $1',
      [tenant.organizationId],
    );
    const again = await post();
    expect(again.status).toBe(409);
    const problem = await again.json();
    expect(problem.detail).toContain(`was carried out on ${id}, but its answer was lost`);
    const listed = await (await api('GET', 'tokens', { token })).json();
    expect(listed.data.filter(({ name }: { name: string }) => name === 'ci')).toHaveLength(1);
  });
});
