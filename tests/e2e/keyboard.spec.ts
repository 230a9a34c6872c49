/** Everything that a hand on the keyboard reaches. */
import { expect, test } from '@playwright/test';
import { Demo } from './support/demo';
import { expectNoViolations } from './support/violations';

test('the palette leads to pages, numbers and ids, and runs a cycle', async ({ page }) => {
  const demo = await Demo.open(page);
  const chain = await demo.run();
  const palette = page.getByRole('dialog', { name: 'Search pages and actions' });
  const field = page.getByPlaceholder('Page, project, #12');

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
    await expect(page).toHaveURL(`/${demo.organization}/spend`);
  });

  await test.step('a cycle', async () => {
    await page.goto(demo.root);
    await page.keyboard.press('ControlOrMeta+k');
    await field.fill('run a cycle');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${demo.root}/chains/\\d+$`));
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(`Chain #${chain.number}`);
  });
});

test('keys go to pages, walk rows and rest while one types', async ({ page }) => {
  const demo = await Demo.open(page);
  await demo.run();
  await page.goto(demo.root);
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list.getByText('Go to chains')).toBeVisible();
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

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByPlaceholder('Page, project, #12').fill('g');
  await page.keyboard.type('h');
  await expect(page).toHaveURL(new RegExp(`${demo.root}/chains/\\d+$`));
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitemradio', { name: 'Off' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(list).toBeHidden();
});
