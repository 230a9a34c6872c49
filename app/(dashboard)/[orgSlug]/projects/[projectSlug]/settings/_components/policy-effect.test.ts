import { afterEach, expect, it, vi } from 'vitest';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { loadPreview } from './policy-effect';

afterEach(() => vi.unstubAllGlobals());

const preview = { days: 30, tiers: [], groups: [] };
const problem = (detail: string) => JSON.stringify({ detail });
const NO_ANSWER = { problem: 'The server didn’t answer.', canContinue: true };

async function loadWith(answer: () => Promise<Response>) {
  const send = vi.fn(async (_path: string, _init: RequestInit) => answer());
  vi.stubGlobal('fetch', send);
  const next = { policy: { ...DEFAULT_CONFIG, name: 'Checkout' } };
  const { signal } = new AbortController();
  const loaded = await loadPreview('/acme/projects/checkout', { baseVersion: 3, next }, signal);
  return { loaded, sent: send.mock.calls[0] };
}

it.each<[string, () => Promise<Response>, object]>([
  ['a preview', async () => Response.json(preview), { preview }],
  [
    'a preview that takes too long',
    async () => new Response(problem('It took too long.'), { status: 503 }),
    { problem: 'It took too long.', canContinue: true },
  ],
  [
    'a project that was deleted, which can’t be saved either',
    async () => new Response(problem('There is nothing here.'), { status: 404 }),
    { problem: 'There is nothing here.', canContinue: false },
  ],
  ['a proxy’s page', async () => new Response('<h1>502</h1>', { status: 502 }), NO_ANSWER],
  ['a proxy’s JSON', async () => Response.json({ error: 'down' }, { status: 502 }), NO_ANSWER],
  ['no connection', () => Promise.reject(new TypeError('Failed to fetch')), NO_ANSWER],
])('[BND-5.2] the answer to a preview is %s', async (_title, answer, expected) => {
  expect((await loadWith(answer)).loaded).toEqual(expected);
});

it('[BND-5.2] a preview sends what decides about commands, without prompts', async () => {
  const { sent } = await loadWith(async () => Response.json(preview));
  expect(sent?.[0]).toBe('/acme/projects/checkout/policy-preview');
  const { baseVersion, next } = JSON.parse(String(sent?.[1].body));
  expect(baseVersion).toBe(3);
  expect(Object.keys(next.policy).toSorted()).toEqual([
    'isolation',
    'maxTier',
    'services',
    'tiers',
  ]);
});
