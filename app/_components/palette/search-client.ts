import { z } from 'zod';
import { placesSchema, textHitsSchema } from '@/lib/insight/search/schema';
import type { DocPlace } from './found-entries';

async function getJson(address: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetch(address, signal ? { signal } : {});
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  return answer.json();
}

/** Loads what is found by its name in an organization. Throws when the server doesn't answer. */
export async function loadPlaces(organization: string) {
  return placesSchema.parse(await getJson(`/${organization}/search/places`));
}

/** Searches stored text. Throws when the server doesn't answer, or the search is given up. */
export async function searchText(organization: string, query: string, signal: AbortSignal) {
  const address = `/${organization}/search?${new URLSearchParams({ q: query })}`;
  return textHitsSchema.parse(await getJson(address, signal));
}

const headingsSchema = z.array(
  z.object({ page: z.string(), heading: z.string().nullable(), href: z.string() }),
);

/** Loads pages and headings of the documentation. Throws where they can't be loaded. */
export async function loadDocs(): Promise<DocPlace[]> {
  return headingsSchema.parse(await getJson('/docs/search.json'));
}
