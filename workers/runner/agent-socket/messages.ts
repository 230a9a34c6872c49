/** What processes of an attempt ask their runner for, and what it answers: one line of JSON each. */
import { z } from 'zod';

/** Where the runner listens, in the environment of the MCP server and of hooks. */
export const SOCKET_VARIABLE = 'TIERWATCH_AGENT_SOCKET';

/** As the CLI gives it to a hook; what it adds later is passed by. */
export const hookInputSchema = z.object({
  hook_event_name: z.enum(['PreCompact', 'SessionStart', 'UserPromptSubmit', 'SessionEnd']),
  session_id: z.string().optional(),
  /** The name of the same in other agents. */
  sessionId: z.string().optional(),
  /** PreCompact: manual, auto. */
  trigger: z.string().optional(),
  custom_instructions: z.string().nullish(),
  /** SessionStart: startup, resume, compact. */
  source: z.string().optional(),
  /** SessionEnd */
  reason: z.string().optional(),
});
export type HookInput = z.infer<typeof hookInputSchema>;

const askSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hook'), input: hookInputSchema }),
  z.object({ kind: z.literal('digest'), digest: z.string().min(1) }),
  z.object({ kind: z.literal('remember'), text: z.string().min(1) }),
  z.object({ kind: z.literal('recall'), limit: z.number().int().positive() }),
]);
export type Ask = z.infer<typeof askSchema>;

/** `token`: the attempt's marker, which only its own processes carry. */
export const requestSchema = z.object({ token: z.string().min(1), ask: askSchema });
export type AgentRequest = z.infer<typeof requestSchema>;

/** `text`: for the agent to read; may be empty. */
export const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: z.string() }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;
