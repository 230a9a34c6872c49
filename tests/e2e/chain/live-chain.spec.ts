/** A chain is followed where it runs: on one page, through all of its tiers. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/story';
import { expectNoViolations } from '../support/violations';

const TIER_MS = 60_000;

/** A tier's part of the log. */
const partOf = (page: Page, tier: number): Locator =>
  page
    .getByRole('log')
    .getByRole('listitem', { name: new RegExp(`^Tier ${tier}, Session #\\d+$`) });

/** Output as fast as a screen can show it. @returns a function that takes the lines away again */
async function growWithEveryFrame(log: Locator): Promise<() => Promise<void>> {
  await log.evaluate((box) => {
    const grow = () => {
      if (box.hasAttribute('data-settled')) return;
      const line = document.createElement('li');
      line.className = 'grown';
      line.textContent = 'A line';
      box.querySelector('ol')?.append(line);
      requestAnimationFrame(grow);
    };
    grow();
  });
  return () =>
    log.evaluate((box) => {
      box.setAttribute('data-settled', '');
      for (const line of box.querySelectorAll('.grown')) line.remove();
    });
}

test('[PAG-1.1] Run now opens the chain, whose log advances from tier to tier by itself', async ({
  page,
  story,
  heldCheck,
}) => {
  const { demo } = story;
  await demo.break();
  await page.goto(demo.root);
  await page.getByRole('button', { name: 'Run now', exact: true }).click();
  await expect(page).toHaveURL(/\/chains\/\d+$/);
  const address = page.url();
  const number = Number(/\d+$/.exec(address)?.[0]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Chain #${number}`);
  await page.evaluate(() => Object.assign(window, { wasNeverReloaded: true }));
  const log = page.getByRole('log', { name: `Log of Chain #${number}` });

  await test.step('tier 1, while it works', async () => {
    const first = partOf(page, 1);
    await expect(first).toContainText('Started on request', { timeout: TIER_MS });
    await expect(first).toContainText('I run the health checks of all services.', {
      timeout: TIER_MS,
    });
    await expect(page.getByText('No state-changing commands so far.')).toBeVisible();
    await expect(page.getByText(/^\$0\.\d+ so far est\.$/).first()).toBeVisible();
    await heldCheck.letOneEnd();
  });

  await test.step('tier 2 follows, with the decision and the report before it', async () => {
    await heldCheck.letOneEnd();
    await expect(partOf(page, 2)).toContainText('I restart web.', { timeout: TIER_MS });
    const first = partOf(page, 1);
    await expect(first.getByRole('region', { name: 'Report' })).toContainText(
      'Tier 1 may only observe',
    );
    await expect(first.getByText('Escalated to tier 2 for web.')).toBeAttached();
    await expect(partOf(page, 2).getByText(/Continues the conversation of/i)).toBeAttached();
    // The end of the log is on the first screen, without scrolling the page.
    await expect(page.getByRole('button', { name: 'Following' })).toBeInViewport();
  });

  await test.step('a reader who scrolled up stays where he is while tier 3 arrives', async () => {
    const top = partOf(page, 1).getByText('I run the health checks of all services.');
    await log.hover();
    const settle = await growWithEveryFrame(log);
    await page.mouse.wheel(0, -20_000);
    await expect(page.getByRole('button', { name: 'Following' })).toBeHidden();
    // A line that came with the wheel may have ended its way up.
    await page.mouse.wheel(0, -20_000);
    await expect(top).toBeInViewport();
    await settle();
    await expect(top).toBeInViewport();
    await page.getByRole('button', { name: 'Decisions', exact: true }).focus();
    heldCheck.open();
    await expect(partOf(page, 3)).toBeAttached({ timeout: TIER_MS });
    await expect(page.getByRole('button', { name: /^\d+ new · Jump to latest$/ })).toBeVisible();
    await expect(top).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Decisions', exact: true })).toBeFocused();
    await page.getByRole('button', { name: /Jump to latest$/ }).click();
    await expect(top).not.toBeInViewport();
  });

  await test.step('the end is in the log, and the report of each tier is rendered', async () => {
    await expect(log.getByText(`Chain #${number} ended:`)).toBeVisible({ timeout: TIER_MS });
    for (const tier of [1, 2, 3]) {
      await expect(partOf(page, tier).getByRole('region', { name: 'Report' })).toHaveCount(1);
    }
    await expect(page.getByRole('main')).not.toContainText('{"');
  });

  await test.step('commands that changed something come first, and lead to their rows', async () => {
    const changes = page.getByRole('list', { name: 'Commands that changed something' });
    await expect(changes.getByRole('listitem')).toHaveText([
      /T2.*democtl restart web.*web.*exit 1/s,
      /T3.*democtl repair-config web.*exit 0/s,
      /T3.*democtl restart web.*web.*exit 0/s,
    ]);
    const [above, below] = [await changes.boundingBox(), await log.boundingBox()];
    expect(above?.y).toBeLessThan(below?.y ?? 0);
    await changes.getByRole('link').first().click();
    // The call with its output, not the line that says what ran outside the sandbox.
    const row = partOf(page, 2)
      .locator('[data-seq]')
      .filter({ hasText: 'democtl restart web' })
      .filter({ hasText: 'configuration error in web.conf.json' });
    await expect(row.last()).toBeFocused();
    await expect(row.last()).toBeInViewport();
    await expect(row.last()).toContainText('configuration error in web.conf.json');
  });

  await test.step('the same page all the time', async () => {
    expect(page.url().split('#')[0]).toBe(address);
    expect(await page.evaluate(() => 'wasNeverReloaded' in window)).toBe(true);
  });

  await test.step('decisions alone, each once', async () => {
    await page.getByRole('button', { name: 'Decisions', exact: true }).click();
    await expect(log.locator('[data-decision]')).toHaveCount(6);
    await expect(log.getByText('Escalated to tier 2 for web.')).toHaveCount(1);
    await expect(log.getByText('I restart web.')).toHaveCount(0);
  });

  await test.step('opened again, all of it is there and nothing waits to be followed', async () => {
    await page.goto(address);
    await expect(log.locator('[data-decision]')).toHaveCount(6);
    await expect(partOf(page, 3)).toContainText('I restart web with the repaired configuration.');
    await expect(page.getByRole('button', { name: /^Follow/ })).toHaveCount(0);
    await expectNoViolations(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoViolations(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  });
});

/** Whether the page takes itself for hidden: it then follows nothing and isn't refreshed. */
function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

test('[PAG-1.1] a session page follows its tier to the end, and leads to the one that continues it', async ({
  page,
  story,
}) => {
  const { demo } = story;
  // Tier 2 repairs it.
  await demo.break('crash');
  let release: (() => Promise<void>) | null = await demo.holdRunner();
  try {
    const { number } = await demo.start();
    await page.goto(`${demo.root}/chains/${number}`);
    const first = partOf(page, 1).getByRole('link', { name: /^Session #\d+$/ });
    await first.click();
    await expect(page).toHaveURL(/\/sessions\/\d+$/);
    await page.evaluate(() => Object.assign(window, { wasNeverReloaded: true }));
    const log = page.getByRole('log');
    await release();
    release = null;
    await expect(log).toContainText('Escalated to tier 2 for web.', { timeout: TIER_MS });
    const own = Number(/\d+$/.exec(page.url())?.[0]);
    const next = page.getByRole('main').getByRole('link', { name: `Session #${own + 1}` });
    await expect(next.first()).toHaveAttribute('href', `${demo.root}/sessions/${own + 1}`);
    expect(await page.evaluate(() => 'wasNeverReloaded' in window)).toBe(true);
    await page.goto(`${demo.root}/chains/${number}`);
    await expect(page.getByRole('log')).toContainText(`Chain #${number} ended:`, {
      timeout: TIER_MS,
    });
  } finally {
    await release?.();
  }
});

test('[PAG-1.1] a chain that waits is stopped on its page, after its effects are listed', async ({
  page,
  story,
}) => {
  const { demo } = story;
  const release = await demo.holdRunner();
  try {
    const { number } = await demo.start();
    await page.goto(`${demo.root}/chains/${number}`);
    const act = { name: `Stop Chain #${number}` };
    await page.getByRole('button', act).click();
    const dialog = page.getByRole('alertdialog', act);
    await expect(dialog).toContainText('It doesn’t restart.');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await dialog.getByRole('button', act).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('log')).toContainText(`Chain #${number} ended:`);
    await expect(page.getByRole('main')).toContainText('Stopped');
    await expect(page.getByRole('button', act)).toBeHidden();
  } finally {
    await release();
  }
});

test('[PAG-1.1] Run now while a chain runs says so in place, with the way to it', async ({
  page,
  story,
}) => {
  const { demo } = story;
  let release: (() => Promise<void>) | null = await demo.holdRunner();
  try {
    // The first hint of its stream refreshes a page that may have aged on its way.
    const refreshed = page.waitForResponse((answer) => 'rsc' in answer.request().headers());
    await page.goto(demo.root);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await (await refreshed).finished();
    // Else the page would offer to stop the chain that another one starts.
    await setHidden(page, true);
    const { number } = await demo.start();
    await page.getByRole('button', { name: 'Other ways to run' }).click();
    await page.getByRole('menuitem', { name: 'Dry run' }).click();
    const refusal = page.getByRole('main').getByRole('alert');
    await expect(refusal).toContainText('is still running');
    await expect(page).toHaveURL(demo.root);
    const link = refusal.getByRole('link', { name: `Open Chain #${number}` });
    await expect(link).toHaveAttribute('href', `${demo.root}/chains/${number}`);
    await link.click();
    await expect(page).toHaveURL(`${demo.root}/chains/${number}`);
    const log = page.getByRole('log');
    await expect(log).toContainText('No output yet.');
    await setHidden(page, false);
    await release();
    release = null;
    await expect(log).toContainText(`Chain #${number} ended:`, { timeout: TIER_MS });
  } finally {
    await release?.();
  }
});
