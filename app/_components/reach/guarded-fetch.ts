import type { PageVersion } from './page-version';
import {
  type ActionFailure,
  failedActionResponse,
  hasServerError,
  isRouterAnswer,
  isSamePage,
  routerRequestKind,
} from './router-request';
import type { ServerReach } from './server-reach';

/** Timeout of a refresh; the page keeps its content. */
const REFRESH_TIMEOUT_MS = 20_000;
/** How long a page may take to begin its answer. */
const NAVIGATION_TIMEOUT_MS = 30_000;
/** An action may take as long as it needs while the server answers checks this often. */
const ACTION_CHECK_MS = 10_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000];

/** What the guard needs of the page around it. */
interface GuardedPage {
  url: () => string;
  /** A navigation waits for its page. Returns a function that says it waits no longer. */
  opening: () => () => void;
  /**
   * Cancels the current navigation, stays on the page and shows a message. `status`: of Tierwatch's
   * own error; null when it can't be reached.
   */
  stay: (status: number | null) => void;
  /** Gives up the refresh under way, without a message. */
  drop: () => void;
  /** Asks for the page again, in place. */
  refresh: () => void;
}

/** An answer read to its end, which can be given more than once. */
interface WholeResponse {
  response: Response;
  body: ArrayBuffer;
}

/**
 * Wraps `fetch` so that no failed request of Next's router replaces the document.
 *
 * When a page's data can't be fetched, or the answer isn't router data (a proxy's 502, a login
 * page), Next 16 navigates the browser to the page instead, which ends on the browser's error page
 * and loses what was typed. Nothing public turns that off: the router catches every rejection, and
 * `experimental.useOffline` waits for the network only, so a 502 still navigates, and it repeats
 * server actions that may have arrived. Canceling the navigation with the Navigation API isn't
 * possible in every supported browser and leaves the router waiting for the navigation. Every
 * browser lets us answer the router ourselves, so that's done here, by kind of request:
 *
 * - A refresh that fails is answered with the last good answer for the same page: the refresh
 *   ends, and nothing changes. A refresh left waiting would also hold back the results of server
 *   actions, which share the router's queue. Only a page without such an answer waits.
 * - A refresh in which something failed on the server is treated the same way while the server isn't
 *   ready: the router would replace the page by its error message.
 * - A refresh that another build of Tierwatch answers, as after a deploy, is treated the same way:
 *   Next would load the whole page.
 * - A navigation that fails is given up, and the page stays.
 * - A server action that fails gets a result that says what is known.
 */
export function guardedFetch(
  send: typeof fetch,
  reach: ServerReach,
  version: PageVersion,
  page: GuardedPage,
): typeof fetch {
  /** The page's newest data. It's one answer, since an older one would turn the page back. */
  let lastRefresh: { key: string; answer: WholeResponse } | null = null;

  return async (input, init) => {
    // The router passes an address; a signal is passed only by its development server.
    if (input instanceof Request || init?.signal) return send(input, init);
    const url = new URL(input, page.url()).href;
    const headers = new Headers(init?.headers);
    switch (routerRequestKind(url, headers, page.url())) {
      case 'refresh':
        return refresh(url, `${url} ${headers.get('next-router-state-tree')}`, init);
      case 'navigation':
        return navigate(url, init);
      case 'action':
        return act(url, init);
      case null:
        return send(input, init);
    }
  };

  async function refresh(url: string, key: string, init?: RequestInit): Promise<Response> {
    for (let failures = 0; isSamePage(url, page.url()); failures += 1) {
      const answer = reach.isUp ? await pageAnswer(url, init) : null;
      if (answer) {
        reach.noteAnswer();
        if (version.note(answer.response)) return keptAnswer(key);
        lastRefresh = { key, answer };
        return copyOf(answer);
      }
      const check = checkPages();
      if (lastRefresh?.key === key) return copyOf(lastRefresh.answer);
      if (await check) await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
      await reach.untilUp();
    }
    // The user has left the page, so its data is no longer needed.
    return never();
  }

  /** A server that is alive may still load no page, as when its database hangs. */
  async function checkPages(): Promise<boolean> {
    const wasUp = reach.isUp;
    const isAlive = await reach.check();
    return isAlive && wasUp ? reach.checkReady() : isAlive;
  }

  /** The data of another build would make Next load the whole page. */
  function keptAnswer(key: string): Response | Promise<never> {
    if (lastRefresh?.key === key) return copyOf(lastRefresh.answer);
    page.drop();
    return never();
  }

  /**
   * Asks again when a part of the page failed while the server is ready: the second answer counts,
   * even if it failed as well. Null while the server can load no page, as without its database.
   */
  async function pageAnswer(url: string, init?: RequestInit): Promise<WholeResponse | null> {
    const first = await refreshAnswer(url, init);
    if (!first || !hasServerError(first.body)) return first;
    return (await reach.checkReady()) ? refreshAnswer(url, init) : null;
  }

  async function refreshAnswer(url: string, init?: RequestInit): Promise<WholeResponse | null> {
    try {
      const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS);
      // Read to the end, since data that breaks off makes Next navigate as well.
      const answer = await whole(await send(url, { ...init, signal }));
      return isRouterAnswer(answer.response) ? answer : null;
    } catch {
      return null;
    }
  }

  async function navigate(url: string, init?: RequestInit): Promise<Response> {
    const opened = page.opening();
    const first = reach.isUp ? await navigationAnswer(url, init) : null;
    if (first && isRouterAnswer(first)) return arriving(url, first, opened);
    if (await reach.check()) {
      const second = await navigationAnswer(url, init);
      if (second && isRouterAnswer(second)) return arriving(url, second, opened);
      // Tierwatch itself answers with something other than a page, which the browser can open.
      if (second && second.status < 500) return second;
      page.stay(reach.isUp ? (second?.status ?? null) : null);
    } else {
      page.stay(null);
    }
    opened();
    return never();
  }

  async function navigationAnswer(url: string, init?: RequestInit): Promise<Response | null> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), NAVIGATION_TIMEOUT_MS);
    try {
      return await send(url, { ...init, signal: controller.signal });
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Parts of a page are shown as they come. When they stop coming, the rest is asked for again. */
  function arriving(url: string, response: Response, opened: () => void): Response {
    reach.noteAnswer();
    // Another page comes, whose refreshes this data must not answer when it's opened again.
    lastRefresh = null;
    const reader = response.body?.getReader();
    if (!reader) {
      opened();
      return response;
    }
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (done) {
            opened();
            controller.close();
          } else controller.enqueue(value);
        } catch {
          // An error here would make Next navigate, so the stream stays open, and asks for no more.
          opened();
          void reach.check();
          await recover(url);
          return never();
        }
      },
      cancel: (reason) => {
        opened();
        return reader.cancel(reason);
      },
    });
    return like(response, body);
  }

  /** Handles a page whose data broke off: gives the navigation up, or refreshes a page that is shown already. */
  async function recover(url: string): Promise<void> {
    if (!isSamePage(url, page.url())) return page.stay(null);
    await pause(RETRY_MS[0]);
    await reach.untilUp();
    page.refresh();
  }

  async function act(url: string, init?: RequestInit): Promise<Response> {
    const fail = (failure: ActionFailure) => failedActionResponse(failure, init?.body);
    if (!reach.isUp && !(await reach.check())) return fail({ kind: 'not_sent' });
    const controller = new AbortController();
    const watch = setInterval(() => {
      void reach.check().then((isUp) => isUp || controller.abort());
    }, ACTION_CHECK_MS);
    try {
      const answer = await whole(await send(url, { ...init, signal: controller.signal }));
      const { response } = answer;
      version.note(response);
      if (response.headers.get('x-nextjs-action-not-found') === '1') {
        return fail({ kind: 'unknown_action' });
      }
      const type = response.headers.get('content-type') ?? '';
      const isOurs =
        type.startsWith('text/x-component') || response.headers.has('x-action-redirect');
      if (isOurs) return copyOf(answer);
      void reach.check();
      return fail({ kind: 'no_answer', status: response.status });
    } catch {
      void reach.check();
      return fail({ kind: 'no_answer', status: null });
    } finally {
      clearInterval(watch);
    }
  }
}

async function whole(response: Response): Promise<WholeResponse> {
  return { response, body: await response.arrayBuffer() };
}

function copyOf({ response, body }: WholeResponse): Response {
  return like(response, body);
}

/** A response with this body that keeps what the router looks at and a constructor can't take. */
function like(original: Response, body: BodyInit): Response {
  const { status, statusText, headers, url, redirected } = original;
  const response = new Response(body, { status, statusText, headers });
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirected },
  });
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function pause(ms: number | undefined): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
