// @ts-check
import { parseArgs } from 'node:util';

/**
 * @typedef {{
 *   isStreamed: boolean, canAsk: boolean, includePartialMessages: boolean, model: string,
 *   sessionId: string | null, resume: string | null, forkSession: boolean, permissionMode: string,
 *   tools: string[] | null, allowed: string[], denied: string[], schema: string | null,
 *   settings: string | null, systemPromptFile: string | null, mcpConfig: string | null,
 *   maxTurns: number | null, maxBudgetUsd: number | null, wantsVersion: boolean, wantsHelp: boolean,
 * }} Flags
 * `isStreamed`: the prompt comes as a line of JSON. Rules come by the file of `settings`.
 */

const bare = /** @type {const} */ ({ type: 'boolean' });
const text = /** @type {const} */ ({ type: 'string' });

/** Those of the CLI's flags that a runner passes. Some change nothing here. */
const OPTIONS = /** @type {const} */ ({
  print: { ...bare, short: 'p' },
  version: { ...bare, short: 'v' },
  help: { ...bare, short: 'h' },
  verbose: bare,
  'include-partial-messages': bare,
  'fork-session': bare,
  'strict-mcp-config': bare,
  'output-format': text,
  'input-format': text,
  'permission-mode': text,
  'permission-prompt-tool': text,
  model: text,
  'session-id': text,
  resume: { ...text, short: 'r' },
  tools: text,
  'add-dir': text,
  'json-schema': text,
  'append-system-prompt-file': text,
  'system-prompt-snapshot': text,
  'setting-sources': text,
  settings: text,
  'mcp-config': text,
  'max-turns': text,
  'max-budget-usd': text,
});

export const FLAG_NAMES = Object.keys(OPTIONS).map((name) => `--${name}`);

/**
 * Reads the command line.
 * @param {string[]} args @returns {Flags} @throws TypeError for an unknown flag, or one without its value
 */
export function parseFlags(args) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const number = (/** @type {string | undefined} */ value) => (value ? Number(value) : null);
  return {
    isStreamed: values['input-format'] === 'stream-json',
    canAsk: values['permission-prompt-tool'] === 'stdio',
    includePartialMessages: values['include-partial-messages'] === true,
    model: values.model ?? 'haiku',
    sessionId: values['session-id'] ?? null,
    resume: values.resume ?? null,
    forkSession: values['fork-session'] === true,
    permissionMode: values['permission-mode'] ?? 'default',
    tools: values.tools?.split(',').filter(Boolean) ?? null,
    allowed: [],
    denied: [],
    schema: values['json-schema'] ?? null,
    settings: values.settings ?? null,
    systemPromptFile: values['append-system-prompt-file'] ?? null,
    mcpConfig: values['mcp-config'] ?? null,
    maxTurns: number(values['max-turns']),
    maxBudgetUsd: number(values['max-budget-usd']),
    wantsVersion: values.version === true,
    wantsHelp: values.help === true,
  };
}
