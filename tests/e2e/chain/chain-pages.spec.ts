import type { SessionDetail } from '@/lib/insight/sessions/schema';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { expect, TIER_NAMES, test, usd } from '../support/story';

test('[HND-7.3] [RES-5.2] the chain page shows cost, turns and duration per tier, and their sums', async ({
  page,
  story,
}) => {
  const { demo, chain, sessions, sessionPath } = story;
  await page.goto(`${demo.root}/chains/${chain.number}`);
  const rows = page.getByRole('table', { name: 'Cost by tier, from the ledger' }).getByRole('row');
  for (const [index, session] of sessions.entries()) {
    await expect(rows.nth(index)).toContainText(TIER_NAMES[index] ?? '');
    const cells = rows.nth(index).getByRole('cell');
    await expect(cells.first()).toContainText(formatDuration(session.durationMs));
    await expect(cells.first()).toContainText(formatCounted(session.turns, 'turn'));
    await expect(cells.last()).toHaveText(usd(session.costUsd));
  }
  const total = rows.last().getByRole('cell');
  const sum = (of: (session: SessionDetail) => number) =>
    sessions.reduce((all, session) => all + of(session), 0);
  await expect(total.first()).toContainText(formatDuration(sum((one) => one.durationMs ?? 0)));
  const turns = sum((one) => one.turns);
  await expect(total.first()).toContainText(formatCounted(turns, 'turn'));
  await expect(total.last()).toHaveText(formatCost(sum((one) => microsOf(one.costUsd))));

  await test.step('each session of the list leads to its page', async () => {
    const list = page.getByRole('list', { name: 'Sessions', exact: true }).getByRole('link');
    await expect(list).toHaveCount(3);
    await list.nth(1).click();
    await expect(page).toHaveURL(sessionPath(1));
  });
});

test('[HND-6.2] a chain that its limit broke off is an event in the feed, linked to its last session', async ({
  page,
  story,
}) => {
  const { demo } = story;
  await demo.configure({ maxTier: 2 });
  try {
    await demo.break();
    const stopped = await demo.run();
    expect(stopped).toMatchObject({ outcome: 'needs_human', highestTier: 2 });
    const last = stopped.sessions.at(-1);
    await page.goto(`${demo.root}/events`);
    const event = page.getByRole('listitem').filter({
      has: page.getByRole('link', { name: `Session #${last?.number} (Tier 2)` }),
      hasText: 'Tier 3 is needed but the maximum',
    });
    await expect(event).toHaveCount(1);
    await event.getByRole('link', { name: /^Session/ }).click();
    await expect(page).toHaveURL(`${demo.root}/sessions/${last?.number}`);
    await expect(page.getByRole('log')).toContainText('Tier 3 is needed but the maximum');

    await test.step('[PAG-1.1] its page leads to where tier 3 is turned on', async () => {
      await page.goto(`${demo.root}/chains/${stopped.number}`);
      await page.getByRole('link', { name: 'Turn on tier 3' }).click();
      await expect(page).toHaveURL(`${demo.root}/settings/tiers?tier=3&switch=on`);
      const dialog = page.getByRole('alertdialog', { name: 'Switch on Tier 3' });
      await expect(dialog).toContainText('It takes effect with the next save.');
      await dialog.getByRole('button', { name: 'Switch on tier 3' }).click();
      await expect(page.getByRole('switch', { name: /^Tier 3/ })).toBeChecked();
    });

    await test.step('its problem can be acknowledged there, and the acknowledgement undone', async () => {
      const act = { name: `Acknowledge Chain #${stopped.number}` };
      await page.goto(`${demo.root}/chains/${stopped.number}`);
      await page.getByRole('button', act).click();
      const dialog = page.getByRole('alertdialog', act);
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await dialog.getByLabel('Note').fill('Looking into it');
      await dialog.getByRole('button', act).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText(`Chain #${stopped.number} is acknowledged.`)).toBeVisible();
      await expect(page.getByRole('button', act)).toBeHidden();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('button', act)).toBeVisible();
    });
  } finally {
    await demo.configure({ maxTier: 3 });
    await demo.repair();
  }
});
