/** A program in the CLI's place that behaves as badly as the operator's words tell it to. */
import { agentScript } from '../../support/fake-control-plane/agent-script';

export type Misbehaviour =
  | 'garbage'
  | 'long line'
  | 'two results'
  | 'nothing'
  | 'nothing and exit 1'
  | 'never ends'
  | 'goes silent once'
  | 'ends by a signal'
  | 'ignores the schema';

/** The words for `POST …/chains`. */
export function misbehave(how: Misbehaviour): { prompt: string } {
  return { prompt: `misbehave: ${how};` };
}

const REPORT = {
  summary: 'All services answer.',
  services_checked: [],
  findings: [],
  escalation: { wanted: false, reason: '', services: [] },
  actions_taken: [],
};

/** Every one of them says that it spent 30,000 tokens of haiku, $0.03, before it goes wrong. */
const BODY = `
const spend = () => say({
  type: 'stream_event', parent_tool_use_id: null, session_id: flag('--session-id'),
  event: { type: 'message_start', message: {
    id: 'msg_spent', model: 'claude-haiku-4-5-20251001',
    usage: { input_tokens: 30000, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 } } },
});
const usage = (costUSD) => ({ 'claude-haiku-4-5-20251001': {
  inputTokens: 30000, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0,
  webSearchRequests: 0, costUSD, contextWindow: 200000 } });
const report = ${JSON.stringify(REPORT)};
const good = (summary) => result({ modelUsage: usage(0.03), structured_output: { ...report, summary } });
const begin = () => { transcript(); init(); spend(); };
const behaviours = {
  'garbage': () => { begin(); fs.writeSync(1, 'no JSON \\u0001\\n{"type":\\n[]\\n'); process.exit(0); },
  'long line': () => { begin(); text('x'.repeat(20 * 1024 * 1024)); good('After a long line.'); },
  'two results': () => { begin(); good('The first one.'); good('The last one.'); },
  'nothing': () => process.exit(0),
  'nothing and exit 1': () => process.exit(1),
  'never ends': () => { begin(); forever(); },
  'never ends, continued': () => { begin(); forever(); },
  'goes silent once': () => { begin(); forever(); },
  'goes silent once, continued': () => { begin(); good('It continued.'); },
  'ends by a signal': () => { begin(); process.kill(process.pid, 'SIGKILL'); },
  'ignores the schema': () => { begin(); result({ modelUsage: usage(0.03), structured_output: { summary: 7 } }); },
};
const told = /misbehave: ([^;]+);/.exec(stdin())?.[1];
if (told) fs.writeFileSync('misbehaviour', told);
behaviours[told ?? fs.readFileSync('misbehaviour', 'utf8') + ', continued']();
`;

/** Gives the program's path. */
export function misbehavingAgent(dir: string): Promise<string> {
  return agentScript(dir, BODY);
}
