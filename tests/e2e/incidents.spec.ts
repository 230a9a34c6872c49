import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { Demo } from './support/demo';
import { openSignalSource } from './support/signal-source';
import { expectNoViolationsInBothThemes } from './support/violations';

// Checks run every 30 seconds, and a recovery is verified for a minute.
test.describe.configure({ timeout: 480_000 });

/** Until checks have run, and until a recovery is verified: some rounds of 30 seconds. */
const ROUNDS = { timeout: 180_000 };

const WATCHED = {
  monitoring: { everySeconds: 30, failures: 1, lastResults: 1 },
  incidents: { verifySeconds: 60, reopenSeconds: 0, groupSeconds: 600 },
  startOn: { checkChange: true },
  dryRun: false,
};

/** The settings of the demo that this journey changes. */
async function settingsOf(page: Page, { token }: Demo) {
  const response = await page.request.get('/api/v1/projects/checkout', {
    headers: { authorization: `Bearer ${token}` },
  });
  const { monitoring, incidents, startOn, dryRun } = await response.json();
  return { monitoring, incidents, startOn, dryRun };
}

test('[INC-3.1] [INC-3.3] an outage of the demo becomes an incident, is fixed by a chain and proven by its checks', async ({
  page,
}) => {
  const demo = await Demo.open(page);
  const before = await settingsOf(page, demo);
  const source = await openSignalSource(page, demo);
  const list = page.getByRole('table', { name: 'Incidents' });
  const header = page.getByRole('main').locator('header').first();
  const timeline = page.getByRole('list', { name: 'Timeline' });
  try {
    await demo.configure(WATCHED);
    await demo.break('crash');

    await test.step('it appears on the list by itself', async () => {
      await page.goto(`${demo.root}/incidents`);
      await expect(list).toContainText(/\w+ down/, ROUNDS);
      await expect(list).toContainText(/Open|Verifying/);
    });

    await test.step('its page follows the chain, the recovery and the verification without a reload', async () => {
      await list.getByRole('link').first().click();
      await expect(page).toHaveURL(/\/incidents\/\d+$/);
      await expect(timeline).toContainText(/Chain #\d+ started\./, ROUNDS);
      await expect(timeline).toContainText('reported a fix', ROUNDS);
      await expect(header).toContainText('Verifying', ROUNDS);
      await expect(header).toContainText('Resolved', ROUNDS);
      await expect(header).toContainText('after a fix');
      await expect(timeline).toContainText('All checks have passed for the whole window.');
      await expectNoViolationsInBothThemes(page);
    });

    await test.step('each line leads to its evidence, and a reload shows the same', async () => {
      const lines = await timeline.getByRole('listitem').allTextContents();
      await page.reload();
      await expect(timeline.getByRole('listitem')).toHaveCount(lines.length);
      const incident = page.url();
      await timeline
        .getByRole('link', { name: /^Chain #\d+$/ })
        .first()
        .click();
      await expect(page).toHaveURL(/\/chains\/\d+$/);
      await page.goto(incident);
      await timeline
        .getByRole('link', { name: /^Checks of / })
        .first()
        .click();
      await expect(page).toHaveURL(/\/services\/\w+$/);
      await page.goto(incident);
    });

    await test.step('exports as a post-mortem', async () => {
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export post-mortem' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^checkout-incident-\d+\.md$/);
      const text = readFileSync(await file.path(), 'utf8');
      expect(text).toMatch(/^# Post-mortem: Incident #\d+, \w+ down\n/);
      expect(text).toContain('Proof: [Checks of');
      expect(text).toMatch(/\n## Open questions\n$/);
    });

    await test.step('counts as a proven fix in the analytics', async () => {
      await page.goto(`/${demo.organization}/analytics`);
      const byTier = page.getByRole('table', { name: 'Proven fixes by tier' });
      await expect(byTier).toContainText(/Tier \d/);
      await expect(byTier).toContainText(/[1-9]\d* of \d+/);
      await expect(page.getByRole('table', { name: 'Durations of incidents' })).toContainText(
        'small sample',
      );
      await expectNoViolationsInBothThemes(page);
    });

    await test.step('a person acknowledges and resolves another one', async () => {
      await demo.configure({ startOn: { alert: false } });
      await source.send('one', 'Payments fail', 'firing');
      await page.goto(`${demo.root}/incidents?state=active`);
      await expect(list).toContainText('needs a human', ROUNDS);
      await list.getByRole('link').first().click();
      await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
      await page.getByLabel('Note').fill('On it.');
      await page.getByRole('button', { name: /^Acknowledge Incident #\d+$/ }).click();
      await expect(header).toContainText('Acknowledged');
      await page.reload();
      await expect(header).toContainText('Acknowledged');
      await expect(timeline).toContainText('acknowledged it. On it.');
      await page.getByRole('button', { name: 'Resolve', exact: true }).click();
      await page.getByRole('button', { name: /^Resolve Incident #\d+$/ }).click();
      await expect(header).toContainText('by a person');
      await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toHaveCount(0);
    });
  } finally {
    await source.remove();
    await demo.configure({ ...before, dryRun: false });
    await demo.repair();
    await demo.configure(before);
  }
});
