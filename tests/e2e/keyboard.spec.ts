/** Everything that a hand on the keyboard reaches. */
import { collectProblems } from './routes/problems';
import { signInToDemo } from './support/demo';
import { expect, test } from './support/story';
import { expectNoViolations } from './support/violations';

test('[PAG-1.4] the palette leads to pages, numbers and ids, and starts a chain', async ({
  page,
  story,
}) => {
  const { demo, chain } = story;
  await page.goto(demo.root);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Search or run a command' });
  const field = page.getByPlaceholder('Search or run a command');

  await test.step('a number', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette).toBeVisible();
    await expectNoViolations(page);
    await field.fill(`#${chain.number}`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${demo.root}/chains/${chain.number}`);
    await expect(palette).toBeHidden();
  });

  await test.step('an id, from another page', async () => {
    await page.goto(`/${demo.organization}/runners`);
    await page.getByRole('button', { name: 'Search' }).click();
    await field.fill(chain.sessions[0]?.id ?? '');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${demo.root}/sessions/\\d+$`));
  });

  await test.step('an id of nothing', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await field.fill(`chn_${'0'.repeat(22)}`);
    await page.keyboard.press('Enter');
    await expect(page.getByText('has nothing by the id')).toBeVisible();
  });

  await test.step('a page by another word', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await field.fill('money');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${demo.root}/spend`);
  });

  await test.step('a chain', async () => {
    await page.goto(demo.root);
    await page.keyboard.press('ControlOrMeta+k');
    await field.fill('run now');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${demo.root}/chains/\\d+$`));
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(`Chain #${chain.number}`);
  });
});

test('[PAG-1.4] keys go to pages, walk rows and siblings, and rest while somebody types', async ({
  page,
  story,
}) => {
  const { demo } = story;
  await page.goto(demo.root);
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list.getByText('Organization settings')).toBeVisible();
  // The browser of the tests runs on no system of Apple's.
  await expect(list.getByText('Ctrl K', { exact: true })).toBeVisible();
  await expect(list.getByText('⌘')).toHaveCount(0);
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();

  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveURL(`${demo.root}/sessions`);
  await expect(page.getByRole('table', { name: 'Sessions' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.locator('[data-row-link]').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${demo.root}/sessions/\\d+$`));
  await expect(page.getByRole('log')).toBeVisible();
  await page.keyboard.press('t');
  await expect(page).toHaveURL(new RegExp(`${demo.root}/chains/\\d+$`));
  const number = Number(page.url().split('/').at(-1));
  await page.keyboard.press('[');
  await expect(page).toHaveURL(`${demo.root}/chains/${number - 1}`);
  await page.keyboard.press(']');
  await expect(page).toHaveURL(`${demo.root}/chains/${number}`);
  await page.keyboard.press(']');
  await expect(page.getByText('This is the newest chain of the project.')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByPlaceholder('Search or run a command').fill('g');
  await page.keyboard.type('h');
  await expect(page).toHaveURL(new RegExp(`${demo.root}/chains/\\d+$`));
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitemradio', { name: 'Off' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(list).toBeHidden();
  // It is kept in the browser, which the other tests share.
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitemradio', { name: 'On' }).click();
});

test('[PAG-1.4] the palette finds services, runners, settings, docs, reports and commands', async ({
  page,
  story,
}) => {
  const { demo } = story;
  await page.goto(`/${demo.organization}`);
  const palette = page.getByRole('dialog', { name: 'Search or run a command' });
  const field = page.getByPlaceholder('Search or run a command');
  const results = (heading: string) =>
    palette.getByRole('group', { name: heading }).getByRole('option');

  await page.keyboard.press('ControlOrMeta+k');
  for (const [typed, heading, address] of [
    ['web', 'Services', `${demo.root}/services/web`],
    ['cron', 'Settings', `${demo.root}/settings/schedule`],
    ['invitation', 'Settings', `/${demo.organization}/settings/members`],
    ['quick start', 'Documentation', '/docs/quick-start'],
    ['delivery log', 'Documentation', '/docs/webhooks#the-delivery-log'],
  ] as const) {
    await test.step(typed, async () => {
      await field.fill(typed);
      await results(heading).first().click();
      await expect(page).toHaveURL(address);
      await expect(palette).toBeHidden();
      // The manual has none.
      if (heading === 'Documentation') await page.goto(`/${demo.organization}`);
      await page.keyboard.press('ControlOrMeta+k');
    });
  }

  await test.step('a command, at its place in the log', async () => {
    await field.fill('democtl restart');
    const [first] = [results('In commands').first()];
    await expect(first).toContainText(/Chain #\d+/);
    await expect(first.locator('mark').first()).toHaveText('democtl');
    await expectNoViolations(page);
    await first.click();
    await expect(page).toHaveURL(new RegExp(`${demo.root}/sessions/\\d+\\?event=\\d+`));
    await expect(page.getByRole('log')).toContainText('democtl restart');
  });

  await test.step('words of a report', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await field.fill('web');
    await results('In reports').first().click();
    await expect(page).toHaveURL(new RegExp(`${demo.root}/sessions/\\d+/report$`));
  });

  await test.step('nothing, which says what was searched', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await field.fill('zzqqxx');
    await expect(palette.getByText(/^Nothing matches “zzqqxx”\. Searched: pages/)).toBeVisible();
  });
});

test('[PAG-1.4] the search button shows the modifier of the reader’s platform', async ({
  browser,
}) => {
  const context = await browser.newContext({
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    extraHTTPHeaders: { 'sec-ch-ua-platform': '"macOS"' },
  });
  const page = await context.newPage();
  const problems = collectProblems(page);
  await page.goto(`/${await signInToDemo(page)}/projects/checkout/settings/general`);
  const search = page.getByRole('banner').getByRole('button', { name: 'Search' });
  await expect(search).toContainText('⌘K');
  await expect(page.getByRole('button', { name: /^Save/ })).toContainText('⌘S');
  expect(problems).toEqual([]);
  await context.close();
});
