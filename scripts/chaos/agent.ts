/**
 * The agent of the chains: a program in the CLI's place that prints numbered events, repairs once where
 * its rules allow it, and keeps a record of its own that no part of the product can touch.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { agentScript } from '@/tests/support/fake-control-plane/agent-script';
import type { AgentRun } from './records';

export const SERVICE = 'web';
/** What tiers 2 and 3 may do, and the agent does once each time. */
export const REPAIRS = {
  restart: 'docker restart web',
  redeploy: 'docker compose up -d web',
} as const;

/** Of the process that each agent leaves behind in a session of its own; no other has this argument. */
const LEFT_SECONDS = '86417';
/** Each agent reports this much at once, and the rest with its result. */
export const FIRST_USAGE_USD = 0.03;
/** The most that the product estimates for a request that was in flight when an agent was killed. */
export const IN_FLIGHT_USD = 0.01;
const MODEL = 'claude-haiku-4-5-20251001';

/** Matches the command lines of agents and of what they leave behind. */
export const AGENT_COMMAND = new RegExp(`agent\\.cjs|sleep ${LEFT_SECONDS}`);

const logsOf = (dir: string) => path.join(dir, 'agents');

/** Writes the program. @returns its path, for CLAUDE_BIN */
export function writeAgent(dir: string): Promise<string> {
  mkdirSync(logsOf(dir), { recursive: true });
  return agentScript(
    dir,
    `
const own = flag('--session-id');
const log = fs.openSync(path.join(${JSON.stringify(logsOf(dir))}, own + '.jsonl'), 'a');
const note = (entry) => fs.writeSync(log, JSON.stringify({ at: Date.now(), ...entry }) + '\\n');
// It survives a runner that is gone, as an agent does that ignores a broken pipe.
const printed = (print) => {
  try { print(); return true; } catch (error) { if (error.code !== 'EPIPE') throw error; return false; }
};
const allowed = rules();
const action = allowed.includes('compose up') ? 'redeploy' : allowed.includes('docker restart') ? 'restart' : null;
const command = ${JSON.stringify(REPAIRS)}[action];
const ticks = 20 + Math.floor(Math.random() * 30);
const repairsAt = Math.floor(ticks * Math.random());
const costUsd = Math.round(40 + Math.random() * 200) / 1000;
note({ kind: 'began', action });
spawn('sleep', ['${LEFT_SECONDS}'], { detached: true, stdio: 'ignore' }).unref();
transcript();
printed(() => init());
printed(() => say({
  type: 'stream_event', parent_tool_use_id: null, session_id: own,
  event: { type: 'message_start', message: { id: 'msg_' + own, model: '${MODEL}',
    usage: { input_tokens: 30000, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 } } },
}));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const repair = async () => {
  printed(() => call('call_' + own, command));
  await pause(Math.random() * 300);
  note({ kind: 'repaired', action });
  // On the disk before anything that comes after it.
  fs.fsyncSync(log);
  await pause(Math.random() * 300);
  printed(() => say({ type: 'user', parent_tool_use_id: null, message: { role: 'user', content: [
    { type: 'tool_result', tool_use_id: 'call_' + own, content: 'web', is_error: false }] } }));
};
const report = {
  summary: action ? 'web was repaired.' : 'web refuses connections.',
  services_checked: [{ name: '${SERVICE}', status: action ? 'healthy' : 'down', detail: '' }],
  findings: [],
  escalation: action === null || (action === 'restart' && Math.random() < 0.5)
    ? { wanted: true, reason: 'web refuses connections', services: ['${SERVICE}'] }
    : { wanted: false, reason: '', services: [] },
  actions_taken: action ? [{ service: '${SERVICE}', action, command, outcome: 'done' }] : [],
};
(async () => {
  for (let number = 0; number < ticks; number += 1) {
    if (action && number === repairsAt) await repair();
    if (printed(() => text('tick ' + number))) note({ kind: 'printed', number });
    await pause(30 + Math.random() * 100);
  }
  const usage = { inputTokens: 30000, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0,
    webSearchRequests: 0, costUSD: costUsd, contextWindow: 200000 };
  if (printed(() => result({ total_cost_usd: costUsd, modelUsage: { '${MODEL}': usage }, structured_output: report })))
    note({ kind: 'reported', costUsd });
  process.exit(0);
})();
`,
  );
}

interface LogLine {
  at: number;
  kind: 'began' | 'printed' | 'repaired' | 'reported';
  action?: string | null;
  costUsd?: number;
}

/** Every agent that ran, by its own record. */
export function readAgents(dir: string): AgentRun[] {
  return readdirSync(logsOf(dir)).map((file) => {
    const lines = readFileSync(path.join(logsOf(dir), file), 'utf8')
      .split('\n')
      .flatMap((line) => parseLine(line));
    return {
      cliSessionId: path.basename(file, '.jsonl'),
      beganAt: lines[0]?.at ?? 0,
      printed: lines.filter(({ kind }) => kind === 'printed').length,
      repairs: lines.flatMap(({ kind, action, at }) =>
        kind === 'repaired' && action ? [{ action, at }] : [],
      ),
      costUsd: lines.find(({ kind }) => kind === 'reported')?.costUsd ?? null,
    };
  });
}

/** A killed agent may have written half of its last line. */
function parseLine(line: string): LogLine[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
