// @ts-check
import { flatten, QUESTION_TOOL } from './agent.mjs';
import { CHECK_TOOL, failures, parseChecks, unhealthy } from './memory.mjs';
import { costOf } from './usage.mjs';

/**
 * @typedef {1 | 2 | 3 | null} By the tier that did it; null in a turn of Ask, or where that is unknown
 * @typedef {{ kind: 'check', service: string, status: import('./memory.mjs').Status, lines: string[], failures: string[],
 *   at: string | null, by: By }} Checked `lines`: one per check; `failures`: those that failed
 * @typedef {{ kind: 'command', command: string, outcome: string, isError: boolean, at: string | null, by: By }} Ran
 * @typedef {{ label: string, outcome: string }} KnownChain "Chain #12", and how it ended
 * @typedef {{
 *   events: (Checked | Ran)[], services: string[], chosen: string | null,
 *   chain: KnownChain | null, costs: Map<string, number>,
 * }} Recollection
 * what was seen and done, oldest first; the services it names; what a person chose before; US
 * dollars by model, empty where the record holds no usage
 */

/**
 * What this conversation holds: the tool results of the resumed one, or what its transcript says.
 * @param {import('./conversation.mjs').Entry[]} entries @param {string | null} transcript
 * @returns {Recollection}
 */
export function recollect(entries, transcript) {
  return transcript === null ? ofConversation(entries) : ofTranscript(transcript);
}

/**
 * What is known before this start: from the resumed conversation's own tool results, or from the
 * escalation context of a handoff.
 * @param {import('./conversation.mjs').Entry[]} entries @param {string} systemPrompt
 * @returns {import('./memory.mjs').Known}
 */
export function recall(entries, systemPrompt) {
  if (entries.length > 0) return fromEvents(ofConversation(entries).events);
  const section = systemPrompt.split('## Escalation Context')[1];
  const json = section && /```json\n([\s\S]*?)\n```/.exec(section)?.[1];
  return json ? fromHandoff(JSON.parse(json)) : nothingKnown();
}

/** @param {Recollection['events']} events @returns {import('./memory.mjs').Known} */
function fromEvents(events) {
  const known = { ...nothingKnown(), source: /** @type {const} */ ('conversation') };
  for (const event of events) {
    if (event.kind === 'check') {
      known.services.set(event.service, { status: event.status, lines: event.lines });
    } else known.actions.push({ command: event.command, outcome: event.outcome });
  }
  known.affected = unhealthy(known.services);
  return known;
}

/** @param {any} handoff @returns {import('./memory.mjs').Known} */
function fromHandoff(handoff) {
  const known = { ...nothingKnown(), source: /** @type {const} */ ('handoff'), handoff };
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

/** @returns {import('./memory.mjs').Known} */
function nothingKnown() {
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

/** @param {import('./conversation.mjs').Entry[]} entries @returns {Recollection} */
function ofConversation(entries) {
  const held = nothing();
  /** @type {Map<string, import('./conversation.mjs').Block>} */
  const calls = new Map();
  /** @type {By} */
  let by = null;
  for (const { message, at, model, usage } of entries) {
    if (model && usage) held.costs.set(model, (held.costs.get(model) ?? 0) + costOf(model, usage));
    if (typeof message.content === 'string') {
      by = tierOf(message.content);
      continue;
    }
    for (const block of message.content) {
      if (block.type === 'tool_use' && block.id) calls.set(block.id, block);
      const call = block.type === 'tool_result' ? calls.get(block.tool_use_id ?? '') : undefined;
      if (!call) continue;
      const text = flatten(block.content).trim();
      if (call.name === CHECK_TOOL) held.events.push(...checksOf(text, at, by));
      if (call.name === 'Bash') {
        const command = String(call.input?.command);
        const outcome = text.replace(/^Exit code \d+\n/, '');
        held.events.push({
          kind: 'command',
          command,
          outcome,
          isError: block.is_error === true,
          at,
          by,
        });
      }
      if (call.name === QUESTION_TOOL) held.chosen = /"="([^"]*)"/.exec(text)?.[1] ?? held.chosen;
    }
  }
  return { ...held, services: namesOf(held.events) };
}

/** The tier that a prompt starts; null for a message of a person. @param {string} prompt @returns {By} */
function tierOf(prompt) {
  const said = /^(?:You are|You are now|Now you are|You take over as) tier ([123])\b/.exec(prompt);
  if (said) return /** @type {By} */ (Number(said[1]));
  return prompt.startsWith('This is a monitoring ') ? 1 : null;
}

/** @param {string} text @param {string | null} at @param {By} by @returns {Checked[]} */
function checksOf(text, at, by) {
  return [...parseChecks(text)].map(([service, state]) => {
    return { kind: 'check', service, ...state, failures: failures(state), at, by };
  });
}

/** @param {string} transcript @returns {Recollection} */
function ofTranscript(transcript) {
  const held = nothing();
  /** @type {By} */
  let by = null;
  for (const line of transcript.split('\n')) {
    const [, label = '', said = ''] = /^\[((?!Operator |Agent ).+?)\] (.+)$/.exec(line) ?? [];
    if (label.startsWith('Chain ')) held.chain = { label, outcome: said };
    const tier = /^Tier ([123])\b/.exec(label)?.[1];
    if (label) by = tier ? /** @type {By} */ (Number(tier)) : null;
    held.chosen = /^Operator decided \(.*?\): (.+)$/.exec(line)?.[1] ?? held.chosen;
    if (line.startsWith('{')) held.events.push(...ofReport(parse(line), by));
  }
  return { ...held, services: namesOf(held.events) };
}

/**
 * A report's checks are those after its actions.
 * @param {any} report @param {By} by @returns {(Checked | Ran)[]}
 */
function ofReport(report, by) {
  /** @type {Ran[]} */
  const ran = (report?.actions_taken ?? []).map(
    (/** @type {{ command: unknown, outcome: unknown }} */ { command, outcome }) => {
      const text = String(outcome);
      const isError = /did not start|not found|refused/.test(text);
      return { kind: 'command', command: String(command), outcome: text, isError, at: null, by };
    },
  );
  /** @type {Checked[]} */
  const checked = (report?.services_checked ?? []).map(
    (/** @type {{ name: unknown, status?: unknown, detail?: unknown }} */ seen) => {
      const lines = String(seen.detail ?? '')
        .split('\n')
        .filter(Boolean);
      const status = /** @type {import('./memory.mjs').Status} */ (
        String(seen.status ?? 'unknown')
      );
      const failed = failures({ status, lines });
      return {
        kind: 'check',
        service: String(seen.name),
        status,
        lines,
        failures: failed,
        at: null,
        by,
      };
    },
  );
  return [...ran, ...checked];
}

/** @param {Recollection['events']} events */
function namesOf(events) {
  return [...new Set(events.flatMap((event) => (event.kind === 'check' ? [event.service] : [])))];
}

/** @param {string} line @returns {any} */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** @returns {Recollection} */
function nothing() {
  return { events: [], services: [], chosen: null, chain: null, costs: new Map() };
}
