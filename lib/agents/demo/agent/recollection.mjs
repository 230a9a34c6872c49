// @ts-check
import { flatten, QUESTION_TOOL } from './agent.mjs';
import { CHECK_TOOL, failures, parseChecks } from './memory.mjs';

/**
 * @typedef {{ lines: string[], services: string[], chosen: string | null }} Recollection
 * what was seen and done, oldest first; the services it names; what a person chose before
 */

/**
 * What this conversation holds: the tool results of the resumed one, or what its transcript says.
 * @param {import('./conversation.mjs').Message[]} messages @param {string | null} transcript
 * @returns {Recollection}
 */
export function recollect(messages, transcript) {
  return transcript === null ? ofConversation(messages) : ofTranscript(transcript);
}

/** @param {import('./conversation.mjs').Message[]} messages @returns {Recollection} */
function ofConversation(messages) {
  /** @type {Map<string, import('./conversation.mjs').Block>} */
  const calls = new Map();
  /** @type {Map<string, string>} */
  const states = new Map();
  /** @type {string[]} */
  const lines = [];
  let chosen = null;
  for (const block of messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  )) {
    if (block.type === 'tool_use' && block.id) calls.set(block.id, block);
    const call = block.type === 'tool_result' ? calls.get(block.tool_use_id ?? '') : undefined;
    const text = flatten(block.content).trim();
    if (call?.name === CHECK_TOOL) {
      for (const [name, state] of parseChecks(text)) {
        const line = `${name} was ${[state.status, ...failures(state)].join(': ')}`;
        if (states.get(name) !== line) lines.push(line);
        states.set(name, line);
      }
    }
    if (call?.name === 'Bash') {
      const outcome = text.replace(/^Exit code \d+\n/, '').split('\n')[0];
      lines.push(`\`${call.input?.command}\` answered: ${outcome}`);
    }
    if (call?.name === QUESTION_TOOL) chosen = /"="([^"]*)"/.exec(text)?.[1] ?? chosen;
  }
  return { lines, services: [...states.keys()], chosen };
}

/** @param {string} transcript @returns {Recollection} */
function ofTranscript(transcript) {
  /** @type {Set<string>} */
  const services = new Set();
  /** @type {string[]} */
  const lines = [];
  let chosen = null;
  for (const line of transcript.split('\n')) {
    const session = /^\[((?!Operator |Agent ).+?)\] (.+)$/.exec(line);
    if (session) lines.push(`${session[1]}: ${session[2]}`);
    chosen = /^Operator decided \(.*?\): (.+)$/.exec(line)?.[1] ?? chosen;
    const report = line.startsWith('{') ? parse(line) : null;
    for (const { name } of report?.services_checked ?? []) services.add(String(name));
    for (const { command, outcome } of report?.actions_taken ?? []) {
      lines.push(`\`${command}\` answered: ${String(outcome).split('\n')[0]}`);
    }
  }
  return { lines, services: [...services], chosen };
}

/** @param {string} line @returns {any} */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
