/** Where events of a session arrive for a reader, and when: in the page, or at the stream alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { findChromium } from '@/scripts/test/browser.mjs';
import type { Product } from './product';

export interface WatchedSession {
  /** `ses_…` */
  id: string;
  number: number;
  projectSlug: string;
}

export interface Watcher {
  /** Said beside the figures. */
  name: string;
  /** From the printing of each `tick` to its sight, once `count` were seen. */
  delaysMs(count: number): Promise<number[]>;
  close(): Promise<void>;
}

/** Seldom, so that looking does not hold the page up. */
const LOOK_EVERY_MS = 1_000;
const PATIENCE_MS = 180_000;

/** The live log in Chromium; the stream behind it where there is no Chromium. */
export async function watchSession(product: Product, session: WatchedSession): Promise<Watcher> {
  const executablePath = findChromium();
  return executablePath
    ? await watchPage(product, session, executablePath)
    : await watchStream(product, session);
}

// As text: the loader of this file would put names into a function that a page does not know.
const NOTE_TICKS = `
  const log = document.querySelector('[role=log]');
  window.ticks = new Map();
  new MutationObserver(() => {
    const now = Date.now();
    for (const [, number, printedAt] of log.innerText.matchAll(/tick (\\d+) (\\d+)/g)) {
      if (!window.ticks.has(number)) window.ticks.set(number, now - Number(printedAt));
    }
  }).observe(log, { childList: true, characterData: true, subtree: true });
`;

async function watchPage(
  { url, account }: Product,
  { number, projectSlug }: WatchedSession,
  executablePath: string,
): Promise<Watcher> {
  const args = ['--no-sandbox', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath, args });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'));
  const project = `${url}/${account.organization}/projects/${projectSlug}`;
  await page.goto(`${project}/sessions/${number}`);
  await page.getByRole('log').waitFor();
  await page.evaluate(NOTE_TICKS);
  return {
    name: 'Chromium, the live log of the session page',
    async delaysMs(count) {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const delays = await page.evaluate<number[]>('[...window.ticks.values()]');
        if (delays.length >= count) return delays;
        if (Date.now() > deadline) {
          throw new Error(`The page has shown ${delays.length} of ${count} events.`);
        }
        await sleep(LOOK_EVERY_MS);
      }
    },
    close: () => browser.close(),
  };
}

async function watchStream(
  { url, token }: Product,
  { id }: Pick<WatchedSession, 'id'>,
): Promise<Watcher> {
  const answer = await fetch(`${url}/api/v1/sessions/${id}/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  if (!answer.ok || !answer.body) throw new Error(`The stream answered ${answer.status}.`);
  const reader = answer.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  return {
    name: 'the stream behind the page (no Chromium here)',
    async delaysMs(count) {
      const delays: number[] = [];
      while (delays.length < count) {
        const { value, done } = await reader.read();
        if (done) throw new Error('The stream ended early.');
        const tick = /tick \d+ (\d+)/.exec(value.data);
        if (tick) delays.push(Date.now() - Number(tick[1]));
      }
      return delays;
    },
    close: () => reader.cancel(),
  };
}
