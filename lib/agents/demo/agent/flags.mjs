// @ts-check

/**
 * @typedef {{
 *   outputFormat: string, inputFormat: string, promptTool: string | null, verbose: boolean, includePartialMessages: boolean, print: boolean,
 *   model: string, sessionId: string | null, resume: string | null, forkSession: boolean,
 *   permissionMode: string, tools: string[] | null, allowed: string[], denied: string[],
 *   schema: string | null, settings: string | null, systemPrompt: string, systemPromptFile: string | null,
 *   mcpConfigs: string[], maxTurns: number | null, maxBudgetUsd: number | null, prompt: string,
 *   wantsVersion: boolean, wantsHelp: boolean,
 * }} Flags
 */

/** Flags that take one value. @type {Record<string, (flags: Flags, value: string) => void>} */
const single = {
  '--output-format': (flags, value) => (flags.outputFormat = value),
  '--input-format': (flags, value) => (flags.inputFormat = value),
  '--permission-prompt-tool': (flags, value) => (flags.promptTool = value),
  '--model': (flags, value) => (flags.model = value),
  '--session-id': (flags, value) => (flags.sessionId = value),
  '--resume': (flags, value) => (flags.resume = value),
  '--permission-mode': (flags, value) => (flags.permissionMode = value),
  '--json-schema': (flags, value) => (flags.schema = value),
  '--append-system-prompt': (flags, value) => (flags.systemPrompt = value),
  '--append-system-prompt-file': (flags, value) => (flags.systemPromptFile = value),
  '--max-turns': (flags, value) => (flags.maxTurns = Number(value)),
  '--max-budget-usd': (flags, value) => (flags.maxBudgetUsd = Number(value)),
  '--system-prompt-snapshot': () => {},
  '--setting-sources': () => {},
  '--settings': (flags, value) => (flags.settings = value),
};

/** Flags that take all values up to the next flag. @type {Record<string, (flags: Flags, values: string[]) => void>} */
const variadic = {
  '--tools': (flags, values) => (flags.tools = splitRules(values)),
  '--allowedTools': (flags, values) => flags.allowed.push(...splitRules(values)),
  '--disallowedTools': (flags, values) => flags.denied.push(...splitRules(values)),
  '--mcp-config': (flags, values) => flags.mcpConfigs.push(...values),
  '--add-dir': () => {},
};

/** @type {Record<string, (flags: Flags) => void>} */
const bare = {
  '--print': (flags) => (flags.print = true),
  '--verbose': (flags) => (flags.verbose = true),
  '--include-partial-messages': (flags) => (flags.includePartialMessages = true),
  '--fork-session': (flags) => (flags.forkSession = true),
  '--version': (flags) => (flags.wantsVersion = true),
  '--help': (flags) => (flags.wantsHelp = true),
  '--strict-mcp-config': () => {},
};

/** @type {Record<string, string>} */
const aliases = {
  '-p': '--print',
  '-r': '--resume',
  '-v': '--version',
  '-h': '--help',
  '--allowed-tools': '--allowedTools',
  '--disallowed-tools': '--disallowedTools',
};

export const FLAG_NAMES = [...Object.keys(single), ...Object.keys(variadic), ...Object.keys(bare)];

/**
 * Reads the command line as the CLI does; an unknown flag is an error, not a surprise later.
 * @param {string[]} argv
 * @returns {{ flags: Flags } | { error: string }}
 */
export function parseFlags(argv) {
  const flags = defaults();
  for (let index = 0; index < argv.length; index += 1) {
    const given = argv[index] ?? '';
    const name = aliases[given] ?? given;
    if (name in bare) bare[name]?.(flags);
    else if (name in single) {
      const value = argv[++index];
      if (value === undefined) return { error: `error: option '${given}' argument missing` };
      single[name]?.(flags, value);
    } else if (name in variadic) {
      const values = [];
      while (index + 1 < argv.length && !argv[index + 1]?.startsWith('-')) {
        values.push(argv[++index] ?? '');
      }
      variadic[name]?.(flags, values);
    } else if (given.startsWith('-')) return { error: `error: unknown option '${given}'` };
    else flags.prompt = given;
  }
  return { flags };
}

/**
 * Rules stand in commas or spaces, but not within brackets: `Read,Bash(docker ps:*)`.
 * @param {string[]} values
 */
export function splitRules(values) {
  return values.flatMap((value) => value.match(/(?:[^\s,()]+|\([^)]*\))+/g) ?? []);
}

/** @returns {Flags} */
function defaults() {
  return {
    outputFormat: 'text',
    inputFormat: 'text',
    promptTool: null,
    verbose: false,
    includePartialMessages: false,
    print: false,
    model: 'haiku',
    sessionId: null,
    resume: null,
    forkSession: false,
    permissionMode: 'default',
    tools: null,
    allowed: [],
    denied: [],
    schema: null,
    settings: null,
    systemPrompt: '',
    systemPromptFile: null,
    mcpConfigs: [],
    maxTurns: null,
    maxBudgetUsd: null,
    prompt: '',
    wantsVersion: false,
    wantsHelp: false,
  };
}
