/** Sign-ins, streams and downloads over real HTTP, as an attacker and a person would send them. */

import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { removeMember } from '@/lib/identity/members/change-membership';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { SIGN_IN_PER_ACCOUNT, SIGN_IN_PER_NETWORK } from '@/lib/platform/rate-limits';
import { joined } from '../integration/members/people';
import { foundAccount, PASSWORD } from '../support/system/account';
import { createProject, startChain } from '../support/system/chain-run';
import { SHARED_PROXY, useSharedSystem } from '../support/system/use-system';
import { openWebSession, type WebSession } from './support/web-session';

/** Unless TIERWATCH_MAX_STREAMS_PER_PERSON says otherwise. */
const MAX_STREAMS = 20;
const system = useSharedSystem();

interface Sender {
  /** An address of this machine: all of 127.0.0.0/8 is. */
  from: string;
  forwardedFor?: string;
  cookie?: string;
}

/** Signs in as a browser does: the text of the answer and the cookies it sets. */
async function signIn(email: string, password: string, { from, forwardedFor, cookie }: Sender) {
  const send = async (path: string, cookies: string, body?: string) => {
    const { hostname, port } = new URL(system.url);
    const asked = request({
      ...{ hostname, port, path, localAddress: from, method: body ? 'POST' : 'GET' },
      headers: {
        ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}),
        ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        origin: system.url,
        cookie: cookies,
      },
    }).end(body);
    const [response] = await once(asked, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    const set: string[] = response.headers['set-cookie'] ?? [];
    return { text, cookies: set.map((each) => each.split(';')[0] ?? '') };
  };
  const csrf = await send('/api/auth/csrf', '');
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(JSON.parse(csrf.text));
  const form = new URLSearchParams({ email, password, csrfToken, json: 'true' });
  const cookies = [...csrf.cookies, ...(cookie ? [cookie] : [])].join('; ');
  const answer = await send('/api/auth/callback/credentials', cookies, form.toString());
  return {
    text: decodeURIComponent(answer.text),
    isSignedIn: answer.cookies.some((each) => each.includes('session-token')),
    device: answer.cookies.find((each) => each.startsWith('tierwatch.device=')),
  };
}

const entriesOf = (action: string) =>
  inTransaction(system.account.scope, (db) =>
    db.auditLog.findMany({ where: { action }, orderBy: { seq: 'asc' } }),
  );

describe('signing in', () => {
  it('[SEC-1.2] another X-Forwarded-For for each try doesn’t pass the limit of a network', async () => {
    const from = '127.0.0.9';
    for (let count = 0; count < SIGN_IN_PER_NETWORK.points; count += 1) {
      const forwardedFor = `198.51.100.${count}`;
      await signIn(`nobody-${count}@example.com`, 'wrong', { from, forwardedFor });
    }
    const { email } = system.account;
    const refused = await signIn(email, PASSWORD, { from, forwardedFor: '198.51.100.250' });
    expect(refused.text).toContain('Too many tries');
    expect(refused.isSignedIn).toBe(false);
    const proxied = { from: SHARED_PROXY, forwardedFor: `${from}, 198.51.100.250` };
    expect((await signIn(email, PASSWORD, proxied)).isSignedIn).toBe(true);
    expect((await entriesOf('account.signed_in')).at(-1)?.detail).toMatchObject({
      address: '198.51.100.250',
      requestId: expect.stringMatching(/^req_/),
    });
  });

  it('[SEC-1.1] wrong tries lock out neither the person’s browser nor another network', async () => {
    const { email } = await foundAccount();
    const from = '127.0.0.3';
    const first = await signIn(email, PASSWORD, { from });
    expect(first.device).toBeDefined();
    for (let count = 0; count <= SIGN_IN_PER_ACCOUNT.points; count += 1) {
      await signIn(email, 'wrong', { from });
    }
    const unknown = await signIn(email, PASSWORD, { from });
    expect(unknown.text).toContain('Too many tries');
    expect(unknown.isSignedIn).toBe(false);
    const known = await signIn(email, PASSWORD, { from, cookie: first.device ?? '' });
    expect(known.isSignedIn).toBe(true);
    expect((await signIn(email, PASSWORD, { from: '127.0.0.4' })).isSignedIn).toBe(true);
  });
});

describe('streams', () => {
  async function member() {
    const { scope } = system.account;
    const bob = await joined(scope, 'viewer');
    const session = await openWebSession(system.url, { scope, email: bob.email, token: '' });
    return { ...bob, session };
  }

  /** `begun` resolves with the first event, `ended` when the stream has ended. */
  function open(session: WebSession, path: string, signal = new AbortController().signal) {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    return { begun, ended: session.follow(path, () => begin(), signal) };
  }

  it('[SEC-1.6] of a removed member end, and don’t open again', async () => {
    const project = await createProject(system.api, { name: 'Checkout' });
    const chain = await startChain(system.api, project.id);
    const { session, memberId } = await member();
    const organization = system.account.scope.organizationSlug;
    const log = `/api/v1/sessions/${chain.sessions[0]?.id}/events?organization=${organization}`;
    const streams = [open(session, '/api/live'), open(session, log)];
    await Promise.all(streams.map(({ begun }) => begun));
    await removeMember(system.account.scope, memberId, { revokeTokens: false });
    await Promise.all(streams.map(({ ended }) => ended));
    expect((await session.get(log)).status).toBe(404);
  });

  it('[SEC-1.6] of one person are capped', async () => {
    const { session } = await member();
    const closing = new AbortController();
    for (let count = 0; count < MAX_STREAMS; count += 1) {
      await open(session, '/api/live', closing.signal).begun;
    }
    expect((await session.get('/api/live')).status).toBe(429);
    closing.abort();
    // The server notices the closed connections a moment later.
    await vi.waitFor(
      async () => {
        const again = new AbortController();
        const { begun, ended } = open(session, '/api/live', again.signal);
        await Promise.race([begun, ended]).finally(() => again.abort());
      },
      { timeout: 60_000 },
    );
  });
});

it('[SEC-1.5] downloads are in the audit log', async () => {
  const session = await openWebSession(system.url, system.account);
  const base = `/${session.organizationSlug}`;
  const span = 'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z';
  const project = await createProject(system.api, { name: 'Exported' });
  await startChain(system.api, project.id);
  const downloads = {
    'audit log': `${base}/audit/entries?format=csv`,
    sessions: `${base}/sessions/sessions.csv`,
    spend: `${base}/spend/usage.csv?${span}`,
    analytics: `${base}/analytics/plots.csv`,
    project: `${base}/projects/${project.slug}/project.yaml`,
    'session log': `${base}/projects/${project.slug}/sessions/1/log.txt`,
  };
  for (const path of Object.values(downloads)) {
    expect((await session.get(path)).status, path).toBe(200);
  }
  const seen = await entriesOf('export.created');
  expect(seen.map(({ detail }) => (detail as { what: string }).what)).toEqual(
    Object.keys(downloads),
  );
  for (const { detail } of seen) {
    expect(detail).toMatchObject({
      actorLabel: system.account.email,
      address: '127.0.0.1',
      requestId: expect.stringMatching(/^req_/),
    });
  }
});
