import { describe, expect, it } from 'vitest';
import type { AuthorizeCommandRequest, AuthorizeCommandResponse } from '@/lib/protocol/commands';
import { type AskedPermission, askPermission, type PermissionOptions } from './permission';

const HELD: AuthorizeCommandResponse = {
  verdict: 'waiting',
  approvalId: '0199f000-0000-7000-8000-000000000000',
  isHeld: true,
};
const UNHELD: AuthorizeCommandResponse = { ...HELD, isHeld: false };
const ALLOWED: AuthorizeCommandResponse = { verdict: 'allowed' };

interface Setup {
  answers: AuthorizeCommandResponse[];
  isIdle?: () => boolean;
  changesNothing?: () => boolean;
  isUnheld?: () => boolean;
  /** Called with the number of the request before it is answered. */
  onRequest?: (count: number) => void;
}

/** The last answer repeats. */
async function ask(
  { answers, isIdle = () => true, changesNothing = () => true, isUnheld, onRequest }: Setup,
  changes: Partial<AskedPermission> = {},
) {
  const requests: Omit<AuthorizeCommandRequest, 'fence'>[] = [];
  let unheld = 0;
  const options: PermissionOptions = {
    async authorize(request) {
      requests.push(request);
      onRequest?.(requests.length);
      return answers[Math.min(requests.length, answers.length) - 1] ?? ALLOWED;
    },
    isIdle,
    changesNothing,
    onUnheld: () => {
      unheld += 1;
    },
    isUnheld: isUnheld ?? (() => unheld > 0),
  };
  const asked: AskedPermission = {
    number: 1,
    argv: ['docker', 'restart', 'web'],
    approval: {
      rule: 'Bash(docker restart web)',
      cwd: '/project',
      reason: '',
      files: [],
      digest: 'd',
    },
    gone: new AbortController().signal,
    closed: new AbortController().signal,
    ...changes,
  };
  const held = await askPermission(options, asked, { pollMs: 1, idleMs: 8, readingMs: 100 });
  return { held: held?.code ?? null, requests, unheld: () => unheld };
}

describe('[BND-4.2] a command that waits for approval', () => {
  it('is held, and runs once it is approved', async () => {
    const { held, requests } = await ask({ answers: [HELD, HELD, ALLOWED] });
    expect([held, requests.length]).toEqual([null, 3]);
  });

  it('ends the process once nothing else runs, and is still to be decided then', async () => {
    let looks = 0;
    const isIdle = () => {
      looks += 1;
      return looks > 20;
    };
    const { held, requests, unheld } = await ask({ answers: [UNHELD], isIdle });
    expect([held, unheld()]).toEqual(['approval_pending', 1]);
    expect(looks).toBeGreaterThan(20);
    expect(requests.some(({ approval }) => approval?.isWithdrawn)).toBe(false);
  });

  it('ends the process although a command that only reads never ends', async () => {
    const { held, unheld } = await ask({ answers: [UNHELD], isIdle: () => false });
    expect([held, unheld()]).toEqual(['approval_pending', 1]);
  });

  it('lets a command that may change something end first', async () => {
    let looks = 0;
    const changesNothing = () => {
      looks += 1;
      return looks > 40;
    };
    const { held } = await ask({ answers: [UNHELD], isIdle: () => false, changesNothing });
    expect(held).toBe('approval_pending');
    expect(looks).toBeGreaterThan(40);
  });

  it('is never requested for an agent that has stopped waiting', async () => {
    const gone = new AbortController();
    gone.abort();
    const { held, requests } = await ask({ answers: [HELD] }, { gone: gone.signal });
    expect([held, requests]).toEqual(['approval_withdrawn', []]);
  });

  it('that is approved while its process ends doesn’t run in it', async () => {
    let isEnding = false;
    const { held } = await ask({
      answers: [HELD, ALLOWED],
      isUnheld: () => isEnding,
      onRequest: (count) => {
        if (count === 2) isEnding = true;
      },
    });
    expect(held).toBe('approval_pending');
  });

  it('is withdrawn when its agent no longer waits, even if it was just approved', async () => {
    const gone = new AbortController();
    const { held, requests } = await ask(
      { answers: [HELD, ALLOWED], onRequest: (count) => count === 2 && gone.abort() },
      { gone: gone.signal },
    );
    expect(held).toBe('approval_withdrawn');
    expect(requests.at(-1)?.approval?.isWithdrawn).toBe(true);
  });

  it('is over with its attempt', async () => {
    const closed = new AbortController();
    const { held } = await ask(
      { answers: [HELD], onRequest: (count) => count === 2 && closed.abort() },
      { closed: closed.signal },
    );
    expect(held).toBe('approval_pending');
  });

  it('doesn’t run if nobody answers', async () => {
    const { held } = await ask({
      answers: [HELD],
      onRequest: (count) => {
        if (count === 2) throw new Error('unreachable');
      },
    });
    expect(held).toBe('not_authorized');
  });
});
