import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { Demo } from './support/demo';
import { expectNoViolationsInBothThemes } from './support/violations';

// Checks run every 30 seconds.
test.describe.configure({ timeout: 480_000 });

/** Until a check has run: some rounds of 30 seconds. */
const ROUNDS = { timeout: 180_000 };

/** @returns its port */
async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

test('[INC-1.1] an outage that ends before any chain has run is in the strip of its service, with its duration', async ({
  page,
}) => {
  const demo = await Demo.open(page);
  const server = createServer((_request, response) => response.end('ok'));
  const port = await listen(server);
  const headers = { authorization: `Bearer ${demo.token}` };
  const target = `http://127.0.0.1:${port}/`;
  const created = await page.request.post('/api/v1/projects', {
    headers,
    data: {
      ...{ name: 'Shop', slug: 'shop', harness: 'demo' },
      services: [{ name: 'shop', checks: [{ type: 'http', target }] }],
      schedule: { kind: 'manual', timeZone: 'UTC' },
      monitoring: { everySeconds: 30, failures: 1, lastResults: 1 },
      startOn: { checkChange: false },
    },
  });
  expect(created.status(), await created.text()).toBe(201);
  const root = `/${demo.organization}/projects/shop`;
  try {
    await page.goto(`${root}/services/shop`);
    const badge = page.getByRole('main').locator('header').first();
    const uptime = page.getByRole('table', { name: 'Uptime and latency' });
    await expect(badge).toContainText('Healthy', ROUNDS);
    await close(server);
    await expect(badge).toContainText(/Down \d/, ROUNDS);
    await listen(server, port);
    await expect(badge).toContainText('Healthy', ROUNDS);

    await test.step('its page says how long it was down and how much is unknown', async () => {
      await page.reload();
      await expect(uptime).toContainText(/down for \d+m \d\ds|down for \d+s/i);
      await expect(uptime).toContainText(/unknown for 23h/);
      const strip = page.getByRole('list', { name: 'shop, 24 columns' });
      const down = strip.getByRole('link', { name: /down for/ });
      await expect(down.first().locator('[data-bar="down"]')).toBeVisible();
      // The hours before it existed aren't healthy ones.
      expect(await strip.locator('[data-bar="unknown"]').count()).toBeGreaterThan(20);
      await expect(page.getByRole('table', { name: 'Incidents' })).toContainText('shop down');
      await expectNoViolationsInBothThemes(page);
      await down.first().click();
      await expect(page).toHaveURL(/#failed-results$/);
    });

    await test.step('the list and the dashboard show the same', async () => {
      for (const path of [`${root}/services`, root]) {
        await page.goto(path);
        const strip = page.getByRole('img', { name: /^shop, last 24 h: down for / });
        await expect(strip.locator('[data-bar="down"]').first()).toBeVisible();
        await expect(page.getByText(/% up in 24 h, down for \d/)).toBeVisible();
        await expectNoViolationsInBothThemes(page);
      }
      await expect(page.getByText('No chain has run yet.')).toBeVisible();
    });
  } finally {
    await close(server);
    await page.request.delete('/api/v1/projects/shop', { headers });
  }
});
