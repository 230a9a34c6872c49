/** Pages that people see before they have signed in. Everything else of the product asks for it. */
const PUBLIC_PAGES = ['/sign-in', '/sign-up', '/reset', '/invite', '/docs'];

/** Answer for themselves: by token, by their own check, or to anyone. */
const OWN_ANSWER = ['/api', '/healthz', '/readyz', '/metrics', '/runner.mjs', '/runner.mjs.sha256'];

/** Where programs look for a server that gives out tokens by OAuth. */
const OAUTH_METADATA = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];

/**
 * Whether a program looks for an OAuth server, as clients of `/api/mcp` without a token do. There is
 * none, and the sign-in page instead of that answer would mislead them.
 *
 * @param headers of the request; a server action of an organization named `register` is no such program
 */
export function isOAuthRequest(
  method: string,
  path: string,
  headers: Pick<Headers, 'has'>,
): boolean {
  if (path === '/register') return method === 'POST' && !headers.has('next-action');
  return OAUTH_METADATA.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/** Whether a request is answered without looking for a signed-in person first. */
export function isPublicPath(path: string): boolean {
  return [...PUBLIC_PAGES, ...OWN_ANSWER].some(
    (prefix) => path === prefix || path.startsWith(`${prefix}/`),
  );
}
