/** A small program that stands in for the CLI: it takes its flags and prints its stream. */
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** At hand in every script. */
const PRELUDE = `#!${process.execPath}
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const flag = (name) => process.argv[process.argv.indexOf(name) + 1];
if (process.argv.includes('--version')) { console.log('2.1.197 (Claude Code)'); process.exit(0); }
if (process.argv.includes('--help')) { console.log('  --resume  --fork-session  --session-id'); process.exit(0); }
const say = (line) => fs.writeSync(1, JSON.stringify(line) + '\\n');
const init = (more = {}) => say({
  type: 'system', subtype: 'init', session_id: flag('--session-id'), claude_code_version: '2.1.197',
  model: 'claude-haiku-4-5', tools: ['Bash', 'Read'], mcp_servers: [], permissionMode: 'dontAsk', cwd: process.cwd(), ...more,
});
const text = (value) => say({
  type: 'assistant', parent_tool_use_id: null,
  message: { id: 'msg_1', model: 'claude-haiku-4-5', content: [{ type: 'text', text: value }], stop_reason: null, usage: null },
});
const call = (id, command) => say({
  type: 'assistant', parent_tool_use_id: null,
  message: { id: 'msg_1', model: 'claude-haiku-4-5', content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }], stop_reason: null, usage: null },
});
const result = (more = {}) => say({
  type: 'result', subtype: 'success', is_error: false, result: 'done', session_id: flag('--session-id'),
  num_turns: 1, total_cost_usd: 0.03, duration_ms: 10, duration_api_ms: 5, modelUsage: {}, permission_denials: [], ...more,
});
// Another agent than Claude Code is started without settings.
const rules = () => process.argv.includes('--settings')
  ? JSON.parse(fs.readFileSync(flag('--settings'), 'utf8')).permissions.allow.join() : '';
const stdin = () => fs.readFileSync(0, 'utf8');
const transcript = () => {
  const dir = path.join(process.env.CLAUDE_CONFIG_DIR, 'projects', process.cwd().replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, flag('--session-id') + '.jsonl'), '{}\\n');
};
const forever = () => setInterval(() => {}, 1000);
// Of the runner, before tiers above 1 start: it does what a rule allows, and says that the rest was refused.
if (rules().includes('tierwatch-canary')) {
  init();
  require('node:child_process').spawnSync('tierwatch-canary', ['allowed']);
  for (const id of ['one', 'two']) {
    call(id, 'tierwatch-canary');
    say({ type: 'user', parent_tool_use_id: null, message: { role: 'user', content: [
      { type: 'tool_result', tool_use_id: id, content: '', is_error: id === 'two' }] } });
  }
  result({ structured_output: { done: true } });
  process.exit(0);
}
`;

/** `body`: plain JavaScript (CommonJS). Gives the program's path. */
export async function agentScript(dir: string, body: string): Promise<string> {
  const file = path.join(dir, 'agent.cjs');
  await writeFile(file, PRELUDE + body);
  await chmod(file, 0o755);
  return file;
}
