// @ts-check

/**
 * @typedef {'healthy' | 'degraded' | 'down' | 'unknown'} Status `unknown`: a check could not run
 * @typedef {{ status: Status, lines: string[] }} ServiceState a line per check, as the check tool words it
 * @typedef {{ command: string, outcome: string }} Action
 * @typedef {{
 *   source: 'conversation' | 'handoff' | null, services: Map<string, ServiceState>,
 *   affected: string[], actions: Action[], findings: string, attempted: string,
 *   handoff: Record<string, unknown> | null,
 * }} Known what earlier tiers found out
 */

export const CHECK_TOOL = 'mcp__tierwatch__check';

/**
 * Reads an answer of the check tool: a line per service, and one below it per check.
 * @param {string} text @returns {Map<string, ServiceState>}
 */
export function parseChecks(text) {
  /** @type {Map<string, ServiceState>} */
  const services = new Map();
  /** @type {ServiceState | null} */
  let current = null;
  for (const line of text.split('\n')) {
    const head = /^([A-Za-z0-9][A-Za-z0-9._-]*): (healthy|degraded|down|unknown)$/.exec(line);
    if (head) {
      current = { status: /** @type {Status} */ (head[2]), lines: [] };
      services.set(head[1] ?? '', current);
    } else if (line.startsWith('  ')) current?.lines.push(line.trim());
  }
  return services;
}

/** @param {Map<string, ServiceState>} services */
export function unhealthy(services) {
  return [...services]
    .filter(([, { status }]) => status === 'degraded' || status === 'down')
    .map(([name]) => name);
}

/** Services with a check that could not run. @param {Map<string, ServiceState>} services */
export function unchecked(services) {
  return [...services].filter(([, { status }]) => status === 'unknown').map(([name]) => name);
}

/** The checks of a service that failed. @param {ServiceState | undefined} state */
export function failures(state) {
  return (state?.lines ?? []).filter((line) => !/: (?:healthy|unknown)\b/.test(line));
}
