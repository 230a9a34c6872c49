import { expect, type Page, test } from '@playwright/test';
import { Demo } from './support/demo';
import { openSignalSource } from './support/signal-source';
import { expectNoViolationsInBothThemes } from './support/violations';

/** Alerts open incidents of their own, and no chain looks at them. */
const APART = {
  incidents: { verifySeconds: 600, reopenSeconds: 0, groupSeconds: 0 },
  startOn: { alert: false },
};

/** Nothing of this journey is left for the next one. */
async function resolveAll(page: Page, { token }: Demo): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await page.request.get('/api/v1/incidents?state=active', { headers });
  for (const { id } of (await response.json()).data) {
    const path = `/api/v1/incidents/${id}/resolve`;
    const resolved = await page.request.post(path, { headers, data: {} });
    expect(resolved.ok(), await resolved.text()).toBe(true);
  }
}

test('[INC-2.1] [INC-2.2] a person silences an incident, and merges it into another one that is the same outage', async ({
  page,
}) => {
  const demo = await Demo.open(page);
  const list = page.getByRole('table', { name: 'Incidents' });
  const header = page.getByRole('main').locator('header').first();
  const timeline = page.getByRole('list', { name: 'Timeline' });
  const dialog = page.getByRole('alertdialog');
  const before = await page.request.get('/api/v1/projects/checkout', {
    headers: { authorization: `Bearer ${demo.token}` },
  });
  const { incidents, startOn } = await before.json();
  const source = await openSignalSource(page, demo);
  try {
    await demo.configure(APART);

    await test.step('two alerts open two incidents', async () => {
      await source.send('one', 'Payments fail', 'firing');
      await page.goto(`${demo.root}/incidents?state=active`);
      await expect(list).toContainText('Payments fail');
      await source.send('two', 'Disk is full', 'firing');
      await expect(list).toContainText('Disk is full');
    });

    await test.step('silence says what it does, and shows who and until when', async () => {
      await list.getByRole('link').first().click();
      await expect(header).toContainText('Disk is full');
      await page.getByRole('button', { name: 'Silence', exact: true }).click();
      await expect(dialog).toContainText('If you work on it yourself, acknowledge it instead.');
      await dialog.getByText('4 hours').click();
      await dialog.getByLabel('Note').fill('Known.');
      await expectNoViolationsInBothThemes(page);
      await dialog.getByRole('button', { name: /^Silence Incident #\d+$/ }).click();
      await expect(header).toContainText(/silenced by .+, ends in/);
      await expect(header).toContainText('Nobody is notified: it is silenced.');
      await expect(timeline).toContainText(/silenced it until .+ UTC\. Known\./);
      await page.goto(`${demo.root}/incidents?state=active`);
      await expect(list).toContainText('silenced');
      await list.getByRole('link').first().click();
      await page.getByRole('button', { name: 'End silence' }).click();
      await expect(header).not.toContainText('silenced');
    });

    await test.step('merge names both, and each page links the other', async () => {
      await page.getByRole('button', { name: 'Merge', exact: true }).click();
      await expect(dialog.getByLabel('Into')).toContainText('Payments fail');
      await dialog.getByLabel('Note').fill('The same disk.');
      await expectNoViolationsInBothThemes(page);
      await dialog.getByRole('button', { name: /^Merge into Incident #\d+$/ }).click();
      await expect(header).toContainText(/merged into #\d+/);
      await expect(timeline).toContainText(/merged it into Incident #\d+\. The same disk\./);
      await expect(page.getByRole('button', { name: 'Merge', exact: true })).toHaveCount(0);
      await header.getByRole('link', { name: /^merged into Incident #\d+$/ }).click();
      await expect(header).toContainText('Payments fail');
      await expect(header.getByRole('link', { name: /^includes Incident #\d+$/ })).toBeVisible();
      await expect(timeline).toContainText(/merged Incident #\d+ into it\. The same disk\./);
      await expectNoViolationsInBothThemes(page);
    });

    await test.step('the end of both alerts is that of one incident', async () => {
      await source.send('one', 'Payments fail', 'resolved');
      await expect(timeline).toContainText(
        'Payments fail” of Mainframe: the source reports the end',
      );
      await expect(header).toContainText('Open');
      await source.send('two', 'Disk is full', 'resolved');
      await expect(header).toContainText('Verifying');
    });
  } finally {
    await demo.configure({ incidents, startOn });
    await source.remove();
    await resolveAll(page, demo);
  }
});
