/** What people type for a project, chain, session, approval or conversation: slug, number, id or URL. */
import { InvalidError } from '@/lib/platform/errors';

/** What URLs are compared with. */
export interface Place {
  organizationSlug: string;
  /** Hosts of this installation, with their ports. */
  hosts: readonly string[];
}

/** A chain or session by its id, or by its number within a project. */
export type NumberedReference = string | { project: string | null; number: number };

const KINDS = {
  chain: { prefix: 'chn', title: 'Chain', folder: 'chains', list: 'list_chains' },
  session: { prefix: 'ses', title: 'Session', folder: 'sessions', list: 'get_chain' },
  incident: { prefix: 'inc', title: 'Incident', folder: 'incidents', list: 'list_incidents' },
} as const;
type Kind = keyof typeof KINDS;

const LARGEST_NUMBER = 2_147_483_647;

/**
 * Returns the id or slug of a project.
 *
 * @param text `prj_…`, a slug, or the URL of any page of the project
 * @throws InvalidError for a URL of something else
 */
export function projectReference(text: string, place: Place): string {
  const path = pathOfUrl(text, place);
  if (path === null) return text.trim();
  const [folder, slug] = path;
  if (folder === 'projects' && slug) return slug;
  throw new InvalidError(
    'This is not the URL of a project. Give the project’s slug, its id (prj_…), or the URL of one of its pages; list_projects shows them.',
  );
}

/**
 * Returns the id, or the number and project, of a chain or session.
 *
 * @param input `5`, `#5`, `Chain #5`, an id, or the URL of its page
 * @param project id, slug or URL of its project; null if the caller gave none
 * @throws InvalidError for anything else
 */
export function numberedReference(
  kind: Kind,
  input: string | number,
  project: string | null,
  place: Place,
): NumberedReference {
  const { prefix, title, folder, list } = KINDS[kind];
  const text = String(input).trim();
  const path = pathOfUrl(text, place);
  const [projects, slug, found, digits = ''] = path ?? [];
  const isPage = projects === 'projects' && slug !== undefined && found === folder;
  const typed = path === null ? text.replace(new RegExp(`^${title}\\s*`, 'i'), '') : digits;
  const number = Number(/^#?([1-9]\d{0,9})$/.exec(typed)?.[1] ?? Number.NaN);
  if (number <= LARGEST_NUMBER && (path === null || isPage)) {
    const given = project === null ? null : projectReference(project, place);
    return { project: isPage ? slug : given, number };
  }
  if (path === null && text.startsWith(`${prefix}_`)) return text;
  throw new InvalidError(
    `“${text.slice(0, 100)}” is not a ${kind}. Give its number (“${title} #5” or 5, with the project), its id (${prefix}_…), or the URL of its page; ${list} shows them.`,
  );
}

/**
 * Returns the id of an approval or a conversation.
 *
 * @param text `apr_…` or `cnv_…`, or the URL of its page
 * @throws InvalidError for anything else
 */
export function idReference(
  { prefix, noun, list }: { prefix: 'apr' | 'cnv'; noun: string; list: string },
  text: string,
  place: Place,
): string {
  const path = pathOfUrl(text, place);
  const id = path === null ? text.trim() : path.find((part) => part.startsWith(`${prefix}_`));
  if (id?.startsWith(`${prefix}_`)) return id;
  throw new InvalidError(
    `“${text.trim().slice(0, 100)}” is not ${noun}. Give its id (${prefix}_…) or the URL of its page; ${list}.`,
  );
}

/** The path of one of our URLs below its organization, in parts; null for a text that is no URL. */
function pathOfUrl(text: string, place: Place): string[] | null {
  if (!/^https?:\/\//i.test(text.trim())) return null;
  const url = URL.parse(text.trim());
  if (!url || !place.hosts.includes(url.host)) {
    throw new InvalidError(
      `The URL is of another site. This server reads those of ${place.hosts[0]}. Give an id instead.`,
    );
  }
  const [organization, ...path] = url.pathname.split('/').filter(Boolean).map(decoded);
  if (organization === place.organizationSlug) return path;
  throw new InvalidError(
    `The URL is of another organization. The token belongs to “${place.organizationSlug}”: use a token of that organization, or give a URL of this one.`,
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
