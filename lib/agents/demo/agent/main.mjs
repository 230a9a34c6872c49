// @ts-check
/**
 * The demo agent: no model, the flags and the stream of the CLI. It runs real checks, restarts and
 * repairs, and keeps its conversations in files, so that resuming and handing over are real too.
 */
import { readFileSync } from 'node:fs';
import { Agent, LimitReached } from './agent.mjs';
import { answer } from './answer.mjs';
import { openConversation } from './conversation.mjs';
import { FLAG_NAMES, parseFlags } from './flags.mjs';
import { openInput, readMessage } from './input.mjs';
import { connectServers } from './mcp-servers.mjs';
import { notStarted, Output, spent } from './output.mjs';
import { addRules, decidePermission } from './permissions.mjs';
import { hasSupervisor, work } from './plan.mjs';
import { recall, recollect } from './recollection.mjs';
import { buildReport, handoffContent } from './report.mjs';
import { Meter } from './usage.mjs';

const VERSION = 'demo-1';

const flags = readFlags();
if (flags.wantsVersion) succeed(`${VERSION} (Tierwatch demo agent)`);
if (flags.wantsHelp) {
  succeed(
    ['Usage: [options]', '', 'Options:', ...FLAG_NAMES.map((name) => `  ${name}`)].join('\n'),
  );
}
const {
  CLAUDE_CONFIG_DIR: configDir,
  CLAUDEOPS_STATE_DIR: stateDir,
  CLAUDEOPS_TIER,
  TIERWATCH_DEMO_PACE_MS,
} = process.env;
if (!configDir) fail('Error: CLAUDE_CONFIG_DIR is not set.');
if (flags.settings !== null) addRules(flags, readFileSync(flags.settings, 'utf8'));

process.stdout.on('error', () => process.exit(0));
// The CLI ends at once and leaves a running command behind; what it started is found by its marker.
process.on('SIGTERM', () => process.exit(143));
/** @type {() => void} */
let onInterrupt = () => process.exit(0);
process.on('SIGINT', () => onInterrupt());

const input = await openInput(flags.isStreamed);
const { prompt } = input;
if (!prompt.trim()) fail('Error: Input must be provided through stdin when using --print');

const opened = openConversation({ ...flags, configDir, cwd: process.cwd() });
if ('error' in opened) {
  process.stderr.write(`${opened.error}\n`);
  if (opened.notFoundId) new Output(flags, opened.notFoundId).result(notStarted(opened.error));
  process.exit(1);
}
const { conversation } = opened;
const output = new Output(flags, conversation.id);
const systemPrompt = flags.systemPromptFile ? readSystemPrompt(flags.systemPromptFile) : '';
const schema = readSchema();
const earlier = [...conversation.entries];
const known = recall(earlier, systemPrompt);
const meter = new Meter(flags.model, conversation.messages);
const servers = await connect();

output.event({
  type: 'system',
  subtype: 'init',
  cwd: process.cwd(),
  tools: [
    ...(flags.tools ?? ['Bash', 'Read', 'Write']),
    ...servers.flatMap((server) => server.tools.map((tool) => `mcp__${server.name}__${tool}`)),
    ...(schema ? ['StructuredOutput'] : []),
  ],
  mcp_servers: servers.map(({ name, status }) => ({ name, status })),
  model: meter.name,
  permissionMode: flags.permissionMode,
  slash_commands: [],
  apiKeySource: 'none',
  claude_code_version: VERSION,
  output_style: 'default',
  agents: [],
  skills: [],
  plugins: [],
});
conversation.append({ role: 'user', content: prompt });

const paceMs = TIERWATCH_DEMO_PACE_MS ? Number(TIERWATCH_DEMO_PACE_MS) : null;
const ask = flags.canAsk ? input.ask : null;
const agent = new Agent({ flags, conversation, output, meter, servers, systemPrompt, paceMs, ask });
onInterrupt = interrupt;

try {
  // Without a form for a report it is a turn of a conversation.
  const ended = schema ? await report() : await reply();
  output.result({
    ...spent(agent, false, 'success'),
    api_error_status: null,
    ...ended,
    terminal_reason: 'completed',
  });
} catch (error) {
  const isLimit = error instanceof LimitReached;
  output.result({
    ...spent(agent, true, isLimit ? error.subtype : undefined),
    // The CLI counts the turn that it refused.
    ...(isLimit ? { num_turns: agent.turns + 1, terminal_reason: error.terminalReason } : {}),
    stop_reason: null,
    errors: [error instanceof Error ? error.message : String(error)],
  });
  process.exitCode = 1;
} finally {
  await Promise.all(servers.map((server) => server.close()));
}
await input.ended;
process.exit();

async function reply() {
  const asked = readMessage(prompt);
  const result = await answer(agent, asked, recollect(earlier, asked.transcript), systemPrompt);
  await agent.step(result);
  return { result, stop_reason: 'end_turn' };
}

async function report() {
  const tier = Number(CLAUDEOPS_TIER ?? 1);
  // A start that only finds out what an interrupted tier has left says so in its prompt.
  const mayAct = tier > 1 && !/\bonly observe\b/i.test(prompt);
  const done = await work(agent, mayAct ? tier : 1, known);
  const built = buildReport(tier, known, done, hasSupervisor(agent));
  const file = `${stateDir}/handoff.json`;
  const mayHandOff =
    stateDir !== undefined &&
    decidePermission('Write', { file_path: file }, flags).kind === 'allowed';
  if (
    built.escalation.wanted &&
    mayHandOff &&
    flags.allowed.some((rule) => rule.includes('handoff.json'))
  ) {
    const content = JSON.stringify(handoffContent(tier, known, done, built), null, 2);
    await agent.step('I write the handoff for the next tier.', {
      tool: 'Write',
      input: { file_path: file, content },
    });
  }
  await agent.step('', { tool: 'StructuredOutput', input: built });
  return { result: JSON.stringify(built), stop_reason: 'tool_use', structured_output: built };
}

/** A running tool is ended and a result says so; between tools the CLI exits without a message. */
function interrupt() {
  if (!agent.stopTool) process.exit(0);
  agent.stopTool();
  output.result({
    ...spent(agent, true),
    stop_reason: 'tool_use',
    terminal_reason: 'aborted_tools',
    errors: ['[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=tool_use'],
  });
  process.exit(0);
}

function readFlags() {
  try {
    return parseFlags(process.argv.slice(2));
  } catch (error) {
    fail(`error: ${error instanceof Error ? error.message : error}`);
  }
}

function readSchema() {
  if (flags.schema === null) return null;
  try {
    return JSON.parse(flags.schema);
  } catch (error) {
    fail(
      `Error: --json-schema is not valid JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function connect() {
  try {
    return await connectServers(flags.mcpConfig);
  } catch (error) {
    fail(`Error: Invalid MCP configuration: ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {string} file */
function readSystemPrompt(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    fail(`Error: Append system prompt file not found: ${file}`);
  }
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** @param {string} text @returns {never} */
function succeed(text) {
  process.stdout.write(`${text}\n`);
  process.exit(0);
}
