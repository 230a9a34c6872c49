import { expect, type Page, test } from '@playwright/test';
import { type CuttableLine, openCuttableLine } from './support/cuttable-line';
import { foundOrganization, type NewOrganization } from './support/new-organization';

const TAB_COUNT = 20;

let line: CuttableLine;
let organization: NewOrganization;

/** Twenty tabs draw themselves again at once, on whatever machine this is. */
const ALL_DRAWN_MS = 90_000;
/** A visible page is refreshed after this time without any notification. */
const IDLE_MS = 30_000;

test.beforeEach(async ({ page, baseURL }) => {
  await page.context().addInitScript((idleMs) => {
    const setReal = window.setTimeout;
    const setShort = (run: TimerHandler, ms?: number) =>
      ms !== undefined && ms >= idleMs ? 0 : setReal(run, ms);
    Object.assign(window, { setTimeout: setShort });
  }, IDLE_MS);
  line = await openCuttableLine(baseURL ?? '');
  organization = await foundOrganization(page);
});
test.afterEach(() => line.close());

const mark = (page: Page) => page.getByRole('banner').getByRole('status');

async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${line.url}${path}`);
  await expect(mark(tab)).toHaveText('Live');
  return tab;
}

/** As the browser does when another tab comes to the front; Playwright shows every tab. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (value ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

test(`[FLT-2.6] ${TAB_COUNT} tabs share one live connection, and hidden ones use none`, async ({
  page,
}) => {
  const path = `${organization.home}/settings/general`;
  const tabs: Page[] = [];
  for (let index = 0; index < TAB_COUNT; index += 1) tabs.push(await openTab(page, path));
  await expect.poll(() => line.streamCount()).toBe(1);

  await test.step('each tab is notified of a change', async () => {
    const name = `Renamed ${organization.tag}`;
    await page.goto(path);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    for (const tab of tabs) {
      await expect(tab.getByRole('banner').getByText(name, { exact: true }).first()).toBeVisible({
        timeout: ALL_DRAWN_MS,
      });
    }
    await expect.poll(() => line.streamCount()).toBe(1);
  });

  await test.step('the stream outlives the tab that opened it', async () => {
    await tabs[0]?.close();
    const [, ...rest] = tabs;
    for (const tab of rest.slice(0, -1)) await setHidden(tab, true);
    await expect.poll(() => line.streamCount()).toBe(1);
    await setHidden(rest.at(-1) as Page, true);
    await expect.poll(() => line.streamCount()).toBe(0);
    await setHidden(rest[3] as Page, false);
    await expect.poll(() => line.streamCount()).toBe(1);
    await expect(mark(rest[3] as Page)).toHaveText('Live');
  });
});
