/** Pages that people see before they have signed in. Everything else of the product asks for it. */
const PUBLIC_PAGES = ['/sign-in', '/sign-up', '/reset', '/invite', '/docs'];

/** Answer for themselves: by token, by their own check, or to anyone. */
const OWN_ANSWER = ['/api', '/healthz', '/readyz', '/runner.mjs', '/runner.mjs.sha256'];

/** Whether a request is answered without looking for a signed-in person first. */
export function isPublicPath(path: string): boolean {
  return [...PUBLIC_PAGES, ...OWN_ANSWER].some(
    (prefix) => path === prefix || path.startsWith(`${prefix}/`),
  );
}
