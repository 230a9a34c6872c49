import { expect, type Page } from '@playwright/test';
import type { Demo } from './demo';

/** Another system, whose alerts arrive at the demo project. */
export async function openSignalSource({ request }: Page, demo: Demo) {
  const created = { project: 'checkout', kind: 'generic', name: 'Mainframe' };
  const source = await demo.post('signal-sources', created);
  return {
    async send(id: string, title: string, status: 'firing' | 'resolved') {
      const sent = await request.post(`/api/signals/${source.id}`, {
        headers: { authorization: `Bearer ${source.token}` },
        data: { id, title, status },
      });
      expect(sent.ok(), await sent.text()).toBe(true);
    },
    remove: () =>
      request.delete(`/api/v1/signal-sources/${source.id}`, {
        headers: { authorization: `Bearer ${demo.token}` },
      }),
  };
}
