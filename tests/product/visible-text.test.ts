/** Names that turn the reading direction or act on a terminal, on every page that shows them. */

import { expect, it } from 'vitest';
import { z } from 'zod';
import { createProject } from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import { openWebSession } from './support/web-session';

const system = useSharedSystem();

const HOSTILE = 'safe\u202egpj.exe\u001b[2J';
const SHOWN = 'safe&lt;U+202E&gt;gpj.exe␛[2J';

/** Of a page without its scripts, which hold data, and values of a form, which are sent as they are. */
function drawn(page: string): string {
  return page.replaceAll(/<script\b[^>]*>.*?<\/script>|<(input|option)\b[^>]*>/gs, '');
}

it('[SEC-3.4] hidden characters in names are visible on the pages and in downloads', async () => {
  const { api, account } = system;
  const project = await createProject(api, { name: HOSTILE, schedule: MANUAL });
  const url = 'https://hooks.example.com/in';
  const eventTypes = ['chain.completed'];
  const endpoint = { url, eventTypes, description: HOSTILE };
  await api.post('webhook-endpoints', endpoint, z.object({ id: z.string() }));
  const session = await openWebSession(system.url, account);
  const root = `/${session.organizationSlug}`;
  const pages = [
    root,
    `${root}/projects/${project.slug}`,
    `${root}/projects/${project.slug}/chains`,
    `${root}/projects/${project.slug}/settings`,
    `${root}/webhooks`,
    `${root}/audit`,
  ];
  let shown = 0;
  for (const page of pages) {
    const { status, text } = await session.get(page);
    expect(status, page).toBe(200);
    expect(drawn(text), page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    if (drawn(text).includes(SHOWN)) shown += 1;
    if (text.includes('<title>safe')) expect(text).toContain(`<title>${SHOWN}`);
  }
  expect(shown).toBeGreaterThan(3);
  for (const format of ['csv', 'jsonl']) {
    const { text } = await session.get(`${root}/audit/entries?format=${format}`);
    expect(text).toMatch(format === 'csv' ? /<U\+202E>gpj\.exe/ : /\\u202egpj\.exe/);
    expect(text).not.toMatch(/[\u001b\u202e]/);
  }
});

const MANUAL = { kind: 'manual', timeZone: 'UTC' } as const;
