/** What processes of an attempt ask their runner for, and what it answers: one line of JSON each. */

import { z } from 'zod';
import { cutText } from '@/lib/platform/format/text';
import { MAX_DIGEST_CHARS, MAX_REMEMBERED_CHARS } from '@/lib/protocol/checkpoint';
import { MAX_RECALLED } from '@/lib/protocol/schema';

/** Where the runner listens, in the environment of the MCP server and of hooks. */
export const SOCKET_VARIABLE = 'TIERWATCH_AGENT_SOCKET';

/** Fields of a hook that are longer are cut: they are shown, and nothing is decided by them. */
const shown = z.string().transform((text) => cutText(text, 2_000));

/** The input that the CLI passes to a hook; unknown fields are ignored. */
export const hookInputSchema = z.object({
  hook_event_name: z.enum(['PreCompact', 'SessionStart', 'UserPromptSubmit', 'SessionEnd']),
  session_id: shown.optional(),
  /** The name of the same in other agents. */
  sessionId: shown.optional(),
  /** PreCompact: manual, auto. */
  trigger: shown.optional(),
  custom_instructions: shown.nullish(),
  /** SessionStart: startup, resume, compact. */
  source: shown.optional(),
  /** SessionEnd */
  reason: shown.optional(),
});
export type HookInput = z.infer<typeof hookInputSchema>;

const askSchema = z.discriminatedUnion('kind', [
  /** Runs the checks of a service, or of all. */
  z.object({ kind: z.literal('check'), service: z.string().max(200).optional() }),
  z.object({ kind: z.literal('hook'), input: hookInputSchema }),
  z.object({ kind: z.literal('digest'), digest: z.string().min(1).max(MAX_DIGEST_CHARS) }),
  z.object({ kind: z.literal('remember'), text: z.string().min(1).max(MAX_REMEMBERED_CHARS) }),
  z.object({ kind: z.literal('recall'), limit: z.number().int().min(1).max(MAX_RECALLED) }),
]);
export type Ask = z.infer<typeof askSchema>;
/** What is asked about notes and by hooks. */
export type NotesAsk = Exclude<Ask, { kind: 'check' }>;

/** `token`: the attempt's marker, which only its own processes carry. */
export const requestSchema = z.object({ token: z.string().min(1), ask: askSchema });

/** `text`: for the agent to read; may be empty. */
export const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: z.string() }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;
