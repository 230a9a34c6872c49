/**
 * POST /api/runner/v1/attempts/{id}/commands: asks whether a command of a confined agent that may
 * change something may run now. The runner has decided that a rule allows it. The control plane knows
 * the rest: whether the attempt is still this runner's, and what has been done to the services before.
 * Repeating the request gives the same answer and counts the command once.
 */
import { z } from 'zod';

const MAX_ARGUMENTS = 20_000;

export const authorizeCommandRequestSchema = z.object({
  fence: z.number().int().positive(),
  /** Of the attempt's commands, from 1. */
  number: z.number().int().positive(),
  /** Without secrets. */
  argv: z.array(z.string()).min(1).max(MAX_ARGUMENTS),
});
export type AuthorizeCommandRequest = z.infer<typeof authorizeCommandRequestSchema>;

/** Why a command that a rule allows doesn't run. */
export const COMMAND_HOLDS = ['fenced', 'stopping', 'cooldown'] as const;

export const authorizeCommandResponseSchema = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('allowed') }),
  z.object({
    verdict: z.literal('refused'),
    code: z.enum(COMMAND_HOLDS),
    /** A sentence, for the agent and the page. */
    message: z.string(),
  }),
]);
export type AuthorizeCommandResponse = z.infer<typeof authorizeCommandResponseSchema>;
