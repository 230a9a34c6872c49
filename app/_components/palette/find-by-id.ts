import { z } from 'zod';

const foundSchema = z.object({
  number: z.number().optional(),
  slug: z.string().optional(),
  project: z.object({ slug: z.string() }).optional(),
});

const KINDS: Record<string, string> = {
  chn_: 'chains',
  inc_: 'incidents',
  ses_: 'sessions',
};

/** The page of what an id stands for; null where the reader's organization has no such thing. */
export async function findById(organization: string, id: string): Promise<string | null> {
  const root = `/${organization}`;
  if (id.startsWith('rnr_')) return `${root}/runners/${id}`;
  if (id.startsWith('apr_')) return `${root}/approvals/${id}`;
  const kind = KINDS[id.slice(0, 4)] ?? 'projects';
  const answer = await fetch(`/api/v1/${kind}/${id}?organization=${organization}`);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const found = foundSchema.parse(await answer.json());
  const slug = found.project?.slug ?? found.slug;
  return kind === 'projects'
    ? `${root}/projects/${slug}`
    : `${root}/projects/${slug}/${kind}/${found.number}`;
}
