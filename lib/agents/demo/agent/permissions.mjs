// @ts-check

/**
 * @typedef {{ tools: string[] | null, allowed: string[], denied: string[], permissionMode: string }} Rules
 * @typedef {{ kind: 'allowed' } | { kind: 'denied', message: string } | { kind: 'missing', message: string }} Permission
 */

/** The CLI words a refusal like this; readers recognise it by the beginning. */
const DONT_ASK =
  "because Claude Code is running in don't ask mode. IMPORTANT: You *may* attempt to accomplish this action using other tools that might naturally be used to accomplish this goal, but you *should not* attempt to work around this denial.";

/** @param {Rules} rules @param {string} settings the CLI's settings, as JSON */
export function addRules(rules, settings) {
  const { allow = [], deny = [] } = JSON.parse(settings).permissions ?? {};
  rules.allowed.push(...allow);
  rules.denied.push(...deny);
}

/**
 * What happens to a tool call. Deny beats allow; without a rule everything is refused.
 * @param {string} tool @param {Record<string, unknown>} input @param {Rules} rules
 * @returns {Permission}
 */
export function decidePermission(tool, input, rules) {
  const isOwn = !tool.startsWith('mcp__');
  if (isOwn && rules.tools && !rules.tools.includes(tool)) {
    return {
      kind: 'missing',
      message: `<tool_use_error>Error: No such tool available: ${tool}</tool_use_error>`,
    };
  }
  const command = typeof input.command === 'string' ? input.command : '';
  if (rules.denied.some((rule) => matches(rule, tool, input))) {
    const detail = tool === 'Bash' ? ` with command ${command}` : '';
    return { kind: 'denied', message: `Permission to use ${tool}${detail} has been denied.` };
  }
  // It changes nothing: who may answer it decides.
  if (tool === 'AskUserQuestion') return { kind: 'allowed' };
  const isAllowed = rules.allowed.some((rule) => matches(rule, tool, input));
  if (isAllowed && !hasSeveralCommands(command)) return { kind: 'allowed' };
  return { kind: 'denied', message: `Permission to use ${tool} has been denied ${DONT_ASK}` };
}

/** @param {string} rule @param {string} tool @param {Record<string, unknown>} input */
function matches(rule, tool, input) {
  const [, name = '', pattern] = /^([^(]+)(?:\((.*)\))?$/.exec(rule) ?? [];
  if (tool.startsWith('mcp__'))
    return tool === name || tool.startsWith(`${name.replace(/__\*$/, '')}__`);
  // A rule for Edit grants Write as well; one for Write with a path grants nothing.
  if (tool === 'Write') {
    if (pattern === undefined) return name === 'Write' || name === 'Edit';
    return name === 'Edit' && pattern === `/${input.file_path}`;
  }
  if (name !== tool) return false;
  if (pattern === undefined) return true;
  const command = String(input.command ?? '');
  if (!pattern.endsWith(':*')) return isLike(command, pattern);
  const prefix = pattern.slice(0, -2);
  return command === prefix || command.startsWith(`${prefix} `);
}

/** A star stands for anything. @param {string} command @param {string} pattern */
function isLike(command, pattern) {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(command);
}

/** Each part would need a permission of its own, and this agent has no reason to join any. @param {string} command */
function hasSeveralCommands(command) {
  return /[;&|`<>\n]|\$\(/.test(command);
}
