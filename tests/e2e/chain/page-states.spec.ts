/** What a page shows when there is little or nothing to show, to whom, and in which light. */
import { expect, test } from '../support/story';
import { expectNoViolations } from '../support/violations';

test('filters are in the address: they survive a reload, and can be cleared', async ({
  page,
  story,
}) => {
  const { demo, chain } = story;
  await page.goto(`${demo.root}/sessions`);
  const tier = page.getByRole('combobox', { name: 'Tier' });
  await tier.selectOption({ label: 'Tier 3 · Full remediation' });
  await expect(page).toHaveURL(/\?tier=3$/);
  const numbers = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
  await expect(numbers.filter({ hasText: 'Tier 3 · Full remediation' }).first()).toBeVisible();
  await expect(numbers.filter({ hasText: 'Tier 1 · Observe' })).toHaveCount(0);
  await page.reload();
  await expect(tier).toHaveValue('3');
  await expect(numbers.filter({ hasText: 'Tier 1 · Observe' })).toHaveCount(0);

  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Lost' });
  await expect(page.getByRole('main').getByText('No sessions match these filters.')).toBeVisible();
  await expect(page).toHaveURL(/tier=3&status=lost/);
  await page.goBack();
  await expect(numbers.filter({ hasText: 'Tier 3 · Full remediation' }).first()).toBeVisible();
  await page.goForward();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${demo.root}/sessions`);
  await expect(numbers.filter({ hasText: 'Tier 1 · Observe' }).first()).toBeVisible();

  await page.goto(`${demo.root}/chains?outcome=lost`);
  await expect(page.getByRole('main').getByText('No chains match these filters.')).toBeVisible();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.getByRole('table', { name: 'Chains' })).toContainText(`#${chain.number}`);
});

test('an address that is nobody’s is 404, and a cursor that is none is left out', async ({
  page,
  story,
}) => {
  const { demo, chain } = story;
  for (const path of ['sessions/999999999', 'sessions/x', 'chains/999999999', 'chains/0x1']) {
    const response = await page.request.get(`${demo.root}/${path}`);
    expect(response.status(), path).toBe(404);
  }
  await page.goto(`${demo.root}/chains/999999999`);
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
  await page.goto(`${demo.root}/sessions?before=nonsense&runner=nonsense`);
  await expect(page.getByRole('table', { name: 'Sessions' })).toContainText(`#${chain.number}`);
});

test('of several notices the worst is shown, and the others at a click', async ({
  page,
  story,
}) => {
  const { demo } = story;
  await demo.configure({ dryRun: true });
  try {
    await page.goto(demo.root);
    const isDryRun = page.getByText('Checkout is in dry run: tier 1 observes');
    const isDemo = page.getByText('Demo agent, no model: a small program');
    await expect(isDryRun).toBeVisible();
    await expect(isDemo).toBeHidden();
    await page.getByRole('button', { name: '+1: show all notices' }).click();
    await expect(isDemo).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Less: show one notice' }).click();
    await expect(isDemo).toBeHidden();
  } finally {
    await demo.configure({ dryRun: false });
  }
});
