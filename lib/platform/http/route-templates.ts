/** From the path of a request to its route, such as `/api/v1/chains/[chainId]`. */

import { z } from 'zod';

const routeSchema = z.object({ page: z.string(), regex: z.string() });

/** What is read of the `routes-manifest.json` that a build of Next writes. */
export const routesManifestSchema = z.object({
  staticRoutes: z.array(routeSchema),
  /** The more specific first. */
  dynamicRoutes: z.array(routeSchema),
});
export type RoutesManifest = z.infer<typeof routesManifestSchema>;

/** For paths of no route: callers choose them, so they can't be labels. */
const OTHER = 'other';
/** Files of the build. */
const STATIC = '/_next';

/** Returns what names the route of a path, with or without a query. */
export function routeTemplates({ staticRoutes, dynamicRoutes }: RoutesManifest) {
  const fixed = new Set(staticRoutes.map(({ page }) => page));
  const patterns = dynamicRoutes.map(({ page, regex }) => ({ page, pattern: new RegExp(regex) }));
  return (url: string): string => {
    const path = url.split('?', 1)[0] ?? '';
    if (path === STATIC || path.startsWith(`${STATIC}/`)) return STATIC;
    const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
    if (fixed.has(plain)) return plain;
    if (plain.length > MAX_PATH) return OTHER;
    const page = patterns.find(({ pattern }) => pattern.test(plain))?.page;
    return page ? (subroutes().get(page)?.(plain) ?? page) : OTHER;
  };
}

/** No address of ours is longer, and patterns take time with length. */
const MAX_PATH = 2_000;

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchSubroutes?: Subroutes };
type Subroutes = Map<string, (path: string) => string | null>;

/**
 * Names the routes of a page that answers many addresses.
 *
 * @param nameOf returns the route of a path, or null for a path that it doesn't answer
 */
export function nameSubroutes(page: string, nameOf: (path: string) => string | null): void {
  subroutes().set(page, nameOf);
}

function subroutes(): Subroutes {
  held.tierwatchSubroutes ??= new Map();
  return held.tierwatchSubroutes;
}
