// @ts-check
import { flatten } from './agent.mjs';

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

/**
 * What is known before this start: from the resumed conversation's own tool results, or from the
 * escalation context of a handoff.
 * @param {import('./conversation.mjs').Message[]} messages @param {string} systemPrompt
 * @returns {Known}
 */
export function recall(messages, systemPrompt) {
  if (messages.length > 0) return fromConversation(messages);
  const section = systemPrompt.split('## Escalation Context')[1];
  const json = section && /```json\n([\s\S]*?)\n```/.exec(section)?.[1];
  return json ? fromHandoff(JSON.parse(json)) : nothing();
}

/** @param {import('./conversation.mjs').Message[]} messages @returns {Known} */
function fromConversation(messages) {
  const known = { ...nothing(), source: /** @type {const} */ ('conversation') };
  /** @type {Map<string, import('./conversation.mjs').Block>} */
  const calls = new Map();
  for (const { content } of messages) {
    for (const block of typeof content === 'string' ? [] : content) {
      if (block.type === 'tool_use' && block.id) calls.set(block.id, block);
      const call = block.type === 'tool_result' ? calls.get(block.tool_use_id ?? '') : undefined;
      if (!call) continue;
      const text = flatten(block.content);
      if (call.name === CHECK_TOOL)
        for (const [name, state] of parseChecks(text)) known.services.set(name, state);
      if (call.name === 'Bash')
        known.actions.push({ command: String(call.input?.command), outcome: text });
    }
  }
  known.affected = unhealthy(known.services);
  return known;
}

/** @param {any} handoff @returns {Known} */
function fromHandoff(handoff) {
  const known = { ...nothing(), source: /** @type {const} */ ('handoff'), handoff };
  for (const { service, check_type, status, error } of handoff.check_results ?? []) {
    const line = `${check_type}: ${status}${error ? `. ${error}` : ''}`;
    const before = known.services.get(service);
    const isWorse = !before || before.status === 'healthy' || status === 'down';
    known.services.set(service, {
      status: isWorse ? status : before.status,
      lines: [...(before?.lines ?? []), line],
    });
  }
  known.affected = handoff.services_affected ?? [];
  known.findings = handoff.investigation_findings ?? '';
  known.attempted = handoff.remediation_attempted ?? '';
  return known;
}

/** @returns {Known} */
function nothing() {
  return {
    source: null,
    services: new Map(),
    affected: [],
    actions: [],
    findings: '',
    attempted: '',
    handoff: null,
  };
}
