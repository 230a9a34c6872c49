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
    return patterns.find(({ pattern }) => pattern.test(plain))?.page ?? OTHER;
  };
}

/** No address of ours is longer, and patterns take time with length. */
const MAX_PATH = 2_000;
