/** A real Alertmanager delivers to a source, and its alert becomes one incident. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { listIncidents } from '@/lib/insight/incidents/list-incidents';
import type { ApiServer } from '@/tests/integration/api/support/server';
import { useTestDatabase } from '@/tests/support/database';
import { hasAlertmanager, startAlertmanager } from '@/tests/support/signals/alertmanager';
import { makeSender, openServer } from './support/sending';

useTestDatabase();

let server: ApiServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

it.skipIf(!hasAlertmanager)(
  '[INC-1.3] what Alertmanager sends opens an incident, repeats join it, and "resolved" verifies it',
  async () => {
    const sender = await makeSender('alertmanager');
    const url = `${server.url}/api/signals/${sender.source.id}`;
    const alertmanager = await startAlertmanager({ url, token: sender.source.token });
    const patience = { timeout: 60_000, interval: 100 };
    const incidents = async () => (await listIncidents(sender.cast.alice, { limit: 10 })).data;
    const labels = { alertname: 'HighLatency', service: 'web', severity: 'critical' };
    try {
      await alertmanager.post(labels);
      await vi.waitFor(async () => {
        expect(await incidents()).toMatchObject([
          { number: 1, state: 'open', source: 'alert', severity: 'critical' },
        ]);
        // It has sent the same alert again by then.
        expect((await sender.alerts())[0]?.repeats).toBeGreaterThan(0);
      }, patience);
      await alertmanager.post(labels, new Date());
      await vi.waitFor(async () => {
        expect(await incidents()).toMatchObject([{ number: 1, state: 'verifying' }]);
      }, patience);
      const [incident] = await incidents();
      expect(incident).toMatchObject({
        title: 'web: “HighLatency”',
        alerts: { services: ['web'], sources: ['alertmanager'], isFiring: false },
      });
    } finally {
      await alertmanager.stop();
    }
  },
);
