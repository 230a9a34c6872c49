import { expect, type Page, test } from '@playwright/test';
import { Demo, signInToDemo } from './support/demo';
import { expectNoViolationsInBothThemes } from './support/violations';

let organization = '';

// Chains of its own, one of them repaired by tier 3: escalations, costs and a fix to plot.
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  const demo = await Demo.open(page);
  await demo.break();
  await demo.run();
  await demo.run();
  organization = `/${demo.organization}`;
  await page.close();
});

test.beforeEach(async ({ page }) => {
  await signInToDemo(page);
});

const PLOTS = 'outcomes,cost,escalation,hops';
const PAGES = [
  ['analytics', () => `${organization}/analytics`, 4],
  ['spend', () => `${organization}/spend?range=month`, 1],
  ['spend of a project', () => `${organization}/projects/checkout/spend?range=7d`, 1],
  ['a project', () => `${organization}/projects/checkout?range=24h&chart=${PLOTS}`, 4],
] as const;

/** Texts of pictures that reach beyond their picture, with how far in pixels. */
function clippedLabels(page: Page): Promise<string[]> {
  return page.locator('svg.recharts-surface').evaluateAll((pictures) =>
    pictures.flatMap((picture) => {
      const frame = picture.getBoundingClientRect();
      return [...picture.querySelectorAll('text')].flatMap((text) => {
        const box = text.getBoundingClientRect();
        const over = Math.max(
          frame.left - box.left,
          box.right - frame.right,
          frame.top - box.top,
          box.bottom - frame.bottom,
        );
        return over > 0.5 ? [`"${text.textContent}" by ${over.toFixed(1)} px`] : [];
      });
    }),
  );
}

test('[PAG-2.1] no label of a plot is clipped at 390 px or at 1440 px, and no picture is drawn into no space', async ({
  page,
}) => {
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning' || message.type() === 'error') warnings.push(message.text());
  });
  const pictures = page.locator('svg.recharts-surface');
  for (const [index, [name, address, plots]] of PAGES.entries()) {
    // Each kind of page is loaded at one width and takes the other one in place.
    const widths = index % 2 === 0 ? [1440, 390] : [390, 1440];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      if (width === widths[0]) await page.goto(address());
      await expect(page.locator('[data-plot]').first(), name).toBeVisible();
      const drawn = page.locator('[data-plot]:visible').filter({ has: page.locator('svg') });
      const visible = page.locator('[data-plot]:visible');
      // While the page becomes alive, the plots that the server sent are replaced.
      await expect.poll(() => visible.count(), { message: name }).toBeGreaterThan(plots / 4);
      const expected = await visible.count();
      await expect(drawn, name).toHaveCount(expected);
      // A plot takes its new width after the page has.
      const isOfWidth = async () => ((await pictures.first().boundingBox())?.width ?? 0) > 390;
      await expect.poll(isOfWidth, { message: name }).toBe(width > 390);
      expect(await pictures.locator('text').count(), name).toBeGreaterThan(4);
      expect(await clippedLabels(page), `${name} at ${width} px`).toEqual([]);
      const scrolls = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect(scrolls, `${name} scrolls sideways at ${width} px`).toBe(false);
    }
  }

  await test.step('folded plots of a project take no picture until they are opened', async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(`${organization}/projects/checkout?range=24h`);
    await expect(page.getByRole('heading', { name: 'Chains by outcome' })).toBeVisible();
    await expect(pictures).toHaveCount(0);
    await page.getByRole('link', { name: 'Show Chains by outcome' }).click();
    await expect(pictures.first()).toBeVisible();
  });
  expect(warnings.filter((text) => /width\(0\)|height\(0\)|width\(-1\)/.test(text))).toEqual([]);
});

test('[PAG-2.1] a folded plot opens although the page is not hydrated yet', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.route(/\/_next\/static\/.*\.js/, (route) => route.abort());
  await page.goto(`${organization}/projects/checkout?range=24h`);
  const toggle = page.getByRole('link', { name: 'Show Chains by outcome' });
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await toggle.click();
  await expect(page).toHaveURL(/[?&]chart=outcomes/);
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
});

test('[PAG-2.1] a piece of a plot opens its rows with its filter, by mouse and by keyboard', async ({
  page,
}) => {
  const dashboard = `${organization}/projects/checkout?range=24h`;
  await page.goto(dashboard);
  const plot = page.getByRole('region', { name: 'Chains by outcome', exact: true });
  await expect(plot.locator('svg.recharts-surface')).toBeVisible();
  const pieces = plot.getByRole('list', { name: 'Parts of Chains by outcome' }).getByRole('link');
  const piece = pieces.filter({ visible: true }).last();
  const name = (await piece.getAttribute('aria-label')) ?? '';
  const count = Number(/(\d+)$/.exec(name)?.[1]);
  expect(count).toBeGreaterThan(0);

  async function expectItsRows() {
    await expect(page).toHaveURL(/\/chains\?outcome=[a-z_]+&from=.*&to=/);
    const rows = page.getByRole('table', { name: 'Chains' }).locator('tbody tr[data-row]');
    const all = page.getByRole('table', { name: 'Chains' }).getByRole('row');
    await expect(all.nth(1)).toBeVisible();
    expect((await rows.count()) || (await all.count()) - 1).toBe(count);
  }

  await test.step('a click on it', async () => {
    await piece.click();
    await expectItsRows();
    await page.goBack();
    await expect(plot.locator('svg.recharts-surface')).toBeVisible();
  });

  await test.step('arrows to its column and up to it, then Enter', async () => {
    const columns = plot.getByRole('list', { name: /^Chains by outcome/ }).getByRole('link');
    await columns.last().focus();
    for (let moves = 0; moves < 24; moves += 1) {
      await page.keyboard.press('ArrowUp');
      if (await pieces.evaluateAll((links) => links.includes(document.activeElement as never))) {
        break;
      }
      await page.keyboard.press('ArrowLeft');
    }
    // The topmost of its column is the last of the list.
    for (let moves = 0; moves < 9; moves += 1) await page.keyboard.press('ArrowUp');
    await expect(piece).toBeFocused();
    await page.keyboard.press('Enter');
    await expectItsRows();
  });
});

test('[PAG-2.1] the spend page has a plot, a budget line or a word about it, and a forecast or why not', async ({
  page,
}) => {
  await page.goto(`${organization}/projects/checkout/spend?range=7d`);
  const days = page.getByRole('region', { name: 'Cost by day', exact: true });
  await expect(days.locator('svg.recharts-surface')).toBeVisible();
  const month = page
    .locator('section', {
      has: page.getByRole('heading', { name: 'Month against budget', exact: true }),
    })
    .last();
  await expect(month).toContainText(/so far in/);
  // The demo project is new: three whole days are not there yet.
  await expect(month).toContainText(/No forecast: it takes 3 whole days of spend|Forecast for/);
  await expect(
    days
      .or(month)
      .getByText(/budget/i)
      .first(),
  ).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  await test.step('a part of a bar narrows the table below it to its rows', async () => {
    const piece = days.getByRole('list', { name: 'Parts of Cost by day' }).getByRole('link').last();
    const figure = /(\$[\d.,]+)$/.exec((await piece.getAttribute('aria-label')) ?? '')?.[1] ?? '?';
    await piece.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/[?&]by=session/);
    await expect(page).toHaveURL(/[?&]kind=/);
    await expect(page.getByText(new RegExp(`^\\${figure} was spent in`))).toBeVisible();
  });
});

test('[PAG-2.1] an escalation shows what resuming was worth and what was repeated', async ({
  page,
}) => {
  await page.goto(`${organization}/projects/checkout/chains?escalated=2&range=all`);
  await page.getByRole('table', { name: 'Chains' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/chains\/\d+$/);
  const worth = page.getByText(/tool calls? repeated from the tier before\./).first();
  await expect(worth).toBeVisible();
  await worth.click();
  await expect(page.getByText('Saved by not looking again').first()).toBeVisible();
  await expectNoViolationsInBothThemes(page);

  await page.goto(`${organization}/analytics?range=24h`);
  const hops = page.getByRole('region', { name: 'Resume or handoff', exact: true });
  await expect(hops).toContainText(/\d+ of \d+ tool calls (was|were) repeated/);
});
