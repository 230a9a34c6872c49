/** Streams of people and tokens whose access ends, and how many there can be. */

import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApiToken, revokeApiToken } from '@/lib/identity/api-tokens/service';
import { readAuthSession, signOutBrowser } from '@/lib/identity/auth/auth-sessions';
import { changeRole, removeMember } from '@/lib/identity/members/change-membership';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import { LimitExceededError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { eventStream, openStreams } from '@/lib/platform/live/event-stream';
import { liveHub } from '@/lib/platform/live/hub';
import { openedSignIn } from '@/tests/integration/accounts/people';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { openApi } from '../api/support/api';
import { startOne } from '../engine/support/running';
import { joined } from '../members/people';

useTestDatabase();
const PER_PERSON = 3;
const PER_ORGANIZATION = 5;
process.env.TIERWATCH_MAX_STREAMS_PER_PERSON = String(PER_PERSON);
process.env.TIERWATCH_MAX_STREAMS_PER_ORGANIZATION = String(PER_ORGANIZATION);

const keeping = { revokeTokens: false };
const opened: AbortController[] = [];

// Only hints are left: the check every 30 s never comes.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => {
  vi.useRealTimers();
  for (const stream of opened.splice(0)) stream.abort();
});
afterAll(() => liveHub().close());

function newSignal(): AbortSignal {
  const controller = new AbortController();
  opened.push(controller);
  return controller.signal;
}

/** Reads a stream; `begun` resolves with its first event, `ended` when it has ended. */
function read(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error('The answer has no body.');
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const readAll = async () => {
    for (let text = ''; ; ) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      if (text.includes('data: ')) begin();
    }
  };
  return { begun, ended: readAll() };
}

/** A stream as a page of the member has it. */
async function streamOf(member: Awaited<ReturnType<typeof joined>>) {
  const { user, scope } = member;
  const authSessionId = await openedSignIn(user.id, 'Firefox');
  const response = eventStream({
    topics: [`o:${scope.organizationId}`],
    owner: { subject: user.id, organizations: [scope.organizationId] },
    signal: newSignal(),
    isStillAllowed: async () => {
      if (!(await readAuthSession(authSessionId))) return false;
      return (await scopeOfMember(user, scope.organizationSlug)).role === scope.role;
    },
    onHint: async (send) => send({ data: 'here' }),
  });
  return { ...read(response), authSessionId };
}

async function setUp() {
  const cast = await makeCast();
  await startOne(cast);
  const { sessionId } = await claimNext(cast.runner);
  const api = await openApi();
  const followAs = (token: string) =>
    api('GET', `sessions/${encodeId('ses', sessionId)}/events`, {
      token,
      headers: { accept: 'text/event-stream' },
      signal: newSignal(),
    });
  return { owner: cast.alice, followAs };
}

describe('[SEC-1.6] an open stream ends with the hint of the change', () => {
  it('when its person is removed, and others stay open', async () => {
    const { owner } = await setUp();
    const [bob, carol] = [await joined(owner, 'viewer'), await joined(owner, 'viewer')];
    const [stream, other] = [await streamOf(bob), await streamOf(carol)];
    await Promise.all([stream.begun, other.begun]);
    await removeMember(owner, bob.memberId, keeping);
    await stream.ended;
    expect(openStreams(bob.user.id)).toBe(0);
    expect(openStreams(carol.user.id)).toBe(1);
  });

  it('when its person is demoted', async () => {
    const { owner } = await setUp();
    const bob = await joined(owner, 'admin');
    const stream = await streamOf(bob);
    await stream.begun;
    await changeRole(owner, bob.memberId, { role: 'viewer', ...keeping });
    await stream.ended;
  });

  it('when its sign-in ends', async () => {
    const { owner } = await setUp();
    const stream = await streamOf(await joined(owner, 'viewer'));
    await stream.begun;
    await signOutBrowser(stream.authSessionId, { address: '192.0.2.8' });
    await stream.ended;
  });

  it('when its token is revoked', async () => {
    const { owner, followAs } = await setUp();
    const { token, id } = await createApiToken(owner, {
      name: 'Follower',
      scopes: ['sessions:read'],
      expiresInDays: 1,
    });
    const stream = read(await followAs(token));
    await stream.begun;
    await revokeApiToken(owner, id);
    await stream.ended;
  });

  it('when access ended between the request and the subscription', async () => {
    const { owner } = await setUp();
    const bob = await joined(owner, 'viewer');
    await removeMember(owner, bob.memberId, keeping);
    await (await streamOf(bob)).ended;
  });
});

describe('[SEC-1.6] open streams are capped', () => {
  it('for a person: one more is refused, and one that ended makes room', async () => {
    const { owner } = await setUp();
    const bob = await joined(owner, 'viewer');
    for (let count = 0; count < PER_PERSON; count += 1) await streamOf(bob);
    await expect(streamOf(bob)).rejects.toThrow(LimitExceededError);
    expect(openStreams(bob.user.id)).toBe(PER_PERSON);
    await streamOf(await joined(owner, 'viewer'));
    opened[0]?.abort();
    await streamOf(bob);
  });

  it('for a token and for an organization, with 429 and the time to wait', async () => {
    const { owner, followAs } = await setUp();
    const tokens: string[] = [];
    for (const name of ['one', 'two']) {
      const input = { name, scopes: ['sessions:read' as const], expiresInDays: 1 };
      tokens.push((await createApiToken(owner, input)).token);
    }
    const [one = '', two = ''] = tokens;
    for (let count = 0; count < PER_PERSON; count += 1) {
      expect((await followAs(one)).status).toBe(200);
    }
    const third = await followAs(one);
    expect(third.status).toBe(429);
    expect(third.headers.get('retry-after')).toBe('30');
    for (let count = PER_PERSON; count < PER_ORGANIZATION; count += 1) {
      expect((await followAs(two)).status).toBe(200);
    }
    expect((await followAs(two)).status).toBe(429);
    expect(await (await followAs(two)).json()).toMatchObject({
      detail: expect.stringContaining('organization'),
    });
  });

  it('and one that was abandoned before it began isn’t counted', async () => {
    const { owner } = await setUp();
    const bob = await joined(owner, 'viewer');
    const aborted = AbortSignal.abort();
    eventStream({
      topics: [],
      owner: { subject: bob.user.id, organizations: [owner.organizationId] },
      signal: aborted,
      isStillAllowed: async () => true,
      onHint: async () => {},
    });
    expect(openStreams(bob.user.id)).toBe(0);
  });
});
