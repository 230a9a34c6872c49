import { beforeEach, describe, expect, it, vi } from 'vitest';
import { guardedFetch } from './guarded-fetch';
import { PageVersion } from './page-version';
import { PendingNavigation } from './pending-navigation';
import { ServerReach } from './server-reach';

const PAGE = 'https://ops.example/acme';
const OTHER = 'https://ops.example/acme/runners';
const RSC = { headers: { rsc: '1', 'next-router-state-tree': 'tree' } };
const ACTION = { method: 'POST', headers: { 'next-action': '60ab' }, body: '[{}]' };

type Send = () => Promise<Response>;

const data = (body: BodyInit) => async () =>
  new Response(body, { headers: { 'content-type': 'text/x-component' } });
const html = (status: number) => async () =>
  new Response('<html></html>', { status, headers: { 'content-type': 'text/html' } });
const broken: Send = async () => {
  throw new TypeError('Failed to fetch');
};
const brokenOff: Send = () =>
  data(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('0:{')),
      pull: (controller) => controller.error(new TypeError('network error')),
    }),
  )();

let isUp: boolean;
let isReady: boolean;
let address: string;
let stay: ReturnType<typeof vi.fn<(status: number | null) => void>>;
let refresh: ReturnType<typeof vi.fn<() => void>>;
let opening: PendingNavigation;
let drop: ReturnType<typeof vi.fn<() => void>>;
let version: PageVersion;
let reach: ServerReach;

beforeEach(() => {
  isUp = true;
  isReady = true;
  address = PAGE;
  stay = vi.fn();
  refresh = vi.fn();
  drop = vi.fn();
  opening = new PendingNavigation();
  version = new PageVersion('first');
  reach = new ServerReach(async (depth) => {
    if (!isUp) return { isUp, status: null };
    return depth === 'alive' || isReady ? { isUp } : { isUp: false, status: 503 };
  });
});

/** Answers one request after another in these ways, and counts them. */
function guard(...answers: Send[]) {
  const send = vi.fn<typeof fetch>(async () => {
    const next = answers.shift();
    if (!next) throw new Error('There was one request too many.');
    return next();
  });
  const page = { url: () => address, opening: () => opening.begin(address), stay, drop, refresh };
  return { send, guarded: guardedFetch(send, reach, version, page) };
}

/** Whether it settles in this turn of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise((resolve) => setTimeout(resolve, 20));
  return Promise.race([promise.then(() => true), turn.then(() => false)]);
}

describe('a refresh', () => {
  it.each<[string, Send]>([
    ['fails', broken],
    ['is answered by a proxy', html(502)],
    ['is answered by a login page', html(200)],
    ['breaks off', brokenOff],
  ])('that %s gets the last good answer for the page', async (_what, failed) => {
    const { guarded } = guard(data('0:first'), failed, data('0:second'));
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:first');
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:first');
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:second');
    expect(stay).not.toHaveBeenCalled();
  });

  const failed = data('0:{}\n1:E{"digest":"2876539812"}\n');

  it('in which a part failed gets the last good answer until the server is ready', async () => {
    const { guarded, send } = guard(data('0:first'), failed, data('0:second'));
    await guarded(PAGE, RSC);
    isReady = false;
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:first');
    expect(reach.getState()).toMatchObject({ kind: 'down', depth: 'ready', status: 503 });
    expect(await reach.check()).toBe(false);
    expect(send).toHaveBeenCalledTimes(2);
    isReady = true;
    expect(await reach.check()).toBe(true);
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:second');
  });

  it('that gets no answer from a server whose database hangs says so until the server is ready', async () => {
    const { guarded } = guard(data('0:first'), broken, data('0:second'));
    await guarded(PAGE, RSC);
    isReady = false;
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:first');
    await expect.poll(() => reach.getState()).toMatchObject({ kind: 'down', depth: 'ready' });
    isReady = true;
    expect(await reach.check()).toBe(true);
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:second');
  });

  it('in which a part fails for a moment is sent again', async () => {
    const { guarded } = guard(data('0:first'), failed, data('0:second'));
    await guarded(PAGE, RSC);
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:second');
  });

  it('in which the same part fails twice, while the server is ready, shows that', async () => {
    const { guarded } = guard(data('0:first'), failed, failed);
    await guarded(PAGE, RSC);
    expect(await (await guarded(PAGE, RSC)).text()).toContain('1:E{');
    expect(reach.isUp).toBe(true);
  });

  it('isn’t sent while the server is down', async () => {
    const { guarded, send } = guard(data('0:first'));
    await guarded(PAGE, RSC);
    isUp = false;
    await reach.check();
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:first');
    expect(send).toHaveBeenCalledOnce();
  });

  it('without an answer to repeat waits for the server', async () => {
    const { guarded } = guard(broken, data('0:first'));
    isUp = false;
    const answer = guarded(PAGE, RSC);
    expect(await isSettled(answer)).toBe(false);
    isUp = true;
    await reach.check();
    expect(await (await answer).text()).toBe('0:first');
  });

  it('never gets the data of another page, or data from before another page', async () => {
    const { guarded } = guard(data('0:acme'), data('0:runners'), broken);
    await guarded(PAGE, RSC);
    await guarded(OTHER, RSC);
    isUp = false;
    expect(await isSettled(guarded(PAGE, RSC))).toBe(false);
  });

  it('keeps what the router reads of a response', async () => {
    const first = await data('0:first')();
    Object.defineProperties(first, {
      url: { value: `${PAGE}?_rsc=1` },
      redirected: { value: true },
    });
    const { guarded } = guard(async () => first);
    expect(await guarded(PAGE, RSC)).toMatchObject({ url: `${PAGE}?_rsc=1`, redirected: true });
  });
});

describe('a navigation', () => {
  it('is given up when the server is down', async () => {
    const { guarded } = guard(broken);
    isUp = false;
    expect(await isSettled(guarded(OTHER, RSC))).toBe(false);
    expect(stay).toHaveBeenCalledExactlyOnceWith(null);
  });

  it('is sent again when only the first request failed', async () => {
    const { guarded } = guard(broken, data('0:runners'));
    expect(await (await guarded(OTHER, RSC)).text()).toBe('0:runners');
    expect(stay).not.toHaveBeenCalled();
  });

  it('is given up when the server itself answers with an error', async () => {
    const { guarded } = guard(html(500), html(500));
    expect(await isSettled(guarded(OTHER, RSC))).toBe(false);
    expect(stay).toHaveBeenCalledExactlyOnceWith(500);
  });

  it('is left to the browser when the server answers with something other than a page', async () => {
    const { guarded } = guard(html(404), html(404));
    expect((await guarded(OTHER, RSC)).status).toBe(404);
    expect(stay).not.toHaveBeenCalled();
  });

  it('that breaks off before the page is shown is given up', async () => {
    const { guarded } = guard(brokenOff);
    const body = (await guarded(OTHER, RSC)).text();
    expect(await isSettled(body)).toBe(false);
    expect(stay).toHaveBeenCalledExactlyOnceWith(null);
  });

  it('is pending until its page has arrived', async () => {
    const { guarded } = guard(data('0:runners'));
    const answer = guarded(OTHER, RSC);
    expect(opening.getCurrent()).toEqual({ from: PAGE });
    await (await answer).text();
    expect(opening.getCurrent()).toBeNull();
  });

  it.each<[string, Send[]]>([
    ['is given up', [html(500), html(500)]],
    ['breaks off', [brokenOff]],
  ])('that %s is no longer pending', async (_what, answers) => {
    const { guarded } = guard(...answers);
    void guarded(OTHER, RSC).then((response) => response.text());
    await expect.poll(() => stay.mock.calls.length).toBe(1);
    expect(opening.getCurrent()).toBeNull();
  });

  it('that ends late doesn’t end the one after it', async () => {
    const first = opening.begin(PAGE);
    const second = opening.begin(PAGE);
    first();
    expect(opening.getCurrent()).toEqual({ from: PAGE });
    second();
    expect(opening.getCurrent()).toBeNull();
  });

  it('that breaks off later is refreshed once the server is back', async () => {
    vi.useFakeTimers();
    const { guarded } = guard(brokenOff);
    const response = await guarded(OTHER, RSC);
    address = OTHER;
    void response.text();
    await vi.advanceTimersByTimeAsync(2_000);
    vi.useRealTimers();
    expect(refresh).toHaveBeenCalledOnce();
    expect(stay).not.toHaveBeenCalled();
  });
});

describe('a server action', () => {
  const messageOf = async (response: Response) =>
    JSON.parse((await response.text()).slice(2)).a.error.message;

  it('isn’t sent while the server is down', async () => {
    const { guarded, send } = guard();
    isUp = false;
    await reach.check();
    expect(await messageOf(await guarded(PAGE, ACTION))).toContain('nothing was sent');
    expect(send).not.toHaveBeenCalled();
  });

  it.each<[string, Send, string]>([
    ['fails', broken, 'The connection was lost after sending, so we don’t know'],
    ['breaks off', brokenOff, 'The connection was lost after sending, so we don’t know'],
    ['is answered by a proxy', html(504), 'answered with 504, so we don’t know'],
  ])(
    'that %s is never repeated, and says that its outcome is unknown',
    async (_what, failed, text) => {
      const { guarded, send } = guard(failed);
      expect(await messageOf(await guarded(PAGE, ACTION))).toContain(text);
      expect(send).toHaveBeenCalledOnce();
    },
  );

  it('that the server doesn’t know asks for a reload', async () => {
    const { guarded } = guard(async () => {
      const headers = { 'x-nextjs-action-not-found': '1', 'content-type': 'text/plain' };
      return new Response('Server action not found.', { status: 404, headers });
    });
    const message = await messageOf(await guarded(PAGE, ACTION));
    expect(message).toContain('This page is older than the server');
  });

  it('gets its answer', async () => {
    const { guarded } = guard(data('0:{"a":{"ok":true}}'));
    expect(await (await guarded(PAGE, ACTION)).text()).toBe('0:{"a":{"ok":true}}');
  });
});

describe('[FLT-2.7] after a deploy', () => {
  const fromBuild =
    (build: string, body: string): Send =>
    async () =>
      new Response(body, {
        headers: { 'content-type': 'text/x-component', 'x-tierwatch-build': build },
      });

  it('a refresh gets the last answer of the page’s own build', async () => {
    const { guarded } = guard(fromBuild('first', '0:first'), fromBuild('second', '0:second'));
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:first');
    expect(version.isOutdated()).toBe(false);
    expect(await (await guarded(PAGE, RSC)).text()).toBe('0:first');
    expect(version.isOutdated()).toBe(true);
    expect(drop).not.toHaveBeenCalled();
  });

  it('a refresh without such an answer is dropped', async () => {
    const { guarded } = guard(fromBuild('second', '0:second'));
    expect(await isSettled(guarded(PAGE, RSC))).toBe(false);
    expect(drop).toHaveBeenCalledOnce();
    expect(stay).not.toHaveBeenCalled();
  });

  it('a navigation is left to Next, which loads the new page', async () => {
    const { guarded } = guard(fromBuild('second', '0:runners'));
    expect(await (await guarded(OTHER, RSC)).text()).toBe('0:runners');
  });

  it('an action gets its answer, and the page is known to be outdated', async () => {
    const { guarded } = guard(fromBuild('second', '0:{"a":{"ok":true}}'));
    expect(await (await guarded(PAGE, ACTION)).text()).toBe('0:{"a":{"ok":true}}');
    expect(version.isOutdated()).toBe(true);
  });

  it.each([
    ['', 'second'],
    ['first', ''],
    ['first', 'first'],
  ])('a page of build “%s” isn’t outdated by an answer of “%s”', (own, other) => {
    const page = new PageVersion(own);
    const answer = new Response('', { headers: { 'x-tierwatch-build': other } });
    expect(page.note(answer)).toBe(false);
    expect(page.note(new Response(''))).toBe(false);
    expect(page.isOutdated()).toBe(false);
  });
});

it('other requests fail as they do', async () => {
  const { guarded } = guard(broken);
  await expect(guarded('https://ops.example/api/v1/chains')).rejects.toThrow('Failed to fetch');
});
