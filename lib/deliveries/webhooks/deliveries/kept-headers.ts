const MOST_HEADERS = 40;
const LONGEST_VALUE = 500;
/** Worth a sign-in at the receiver, and of no use for finding out what went wrong. */
const NOT_KEPT = new Set(['set-cookie', 'authorization', 'proxy-authorization']);

/** What the log keeps of headers: enough to find a fault by, and nothing to sign in with. */
export function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !NOT_KEPT.has(name))
      .slice(0, MOST_HEADERS)
      .map(([name, value]) => [name, value.slice(0, LONGEST_VALUE).replaceAll('\0', '\uFFFD')]),
  );
}
