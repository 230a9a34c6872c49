/**
 * POST /api/runner/v1/attempts/{id}/commands: asks whether a command of a confined agent may run now,
 * if it may change something or a person has to approve it. The runner has decided that a rule allows
 * it. The control plane knows the rest: whether the attempt is still this runner's, what has been done
 * to the services before, and what people have decided. Repeating the request gives the same answer and
 * counts the command once; a command that waits for a person is asked about until it doesn't.
 */
import { z } from 'zod';

const MAX_ARGUMENTS = 20_000;
const MAX_FILES = 20;
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** A file of the work folder that a command gets, as it was when the command was asked for. */
export const approvalFileSchema = z.object({
  path: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: sha256Schema,
});
export type ApprovalFile = z.infer<typeof approvalFileSchema>;

/** What a person is shown of a command that a rule lets run only with approval. */
export const approvalRequestSchema = z.object({
  /** The rule that lets it run, as written; mostly it also requires the approval. */
  rule: z.string(),
  /** The agent's folder in its sandbox. */
  cwd: z.string(),
  /** What the agent said last. */
  reason: z.string().max(4_000),
  files: z.array(approvalFileSchema).max(MAX_FILES),
  /**
   * HMAC-SHA-256 over the exact arguments, secrets included, the folder and the files, with a key that
   * only this host has: no other command has it, and no other host can make it.
   */
  digest: sha256Schema,
  /** Nobody waits for the command now. */
  isWithdrawn: z.boolean(),
});
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>;

export const authorizeCommandRequestSchema = z.object({
  fence: z.number().int().positive(),
  /** Of the attempt's commands, from 1. */
  number: z.number().int().positive(),
  /** Without secrets. */
  argv: z.array(z.string()).min(1).max(MAX_ARGUMENTS),
  /** Null: no rule asks for approval, and neither has the control plane. */
  approval: approvalRequestSchema.nullable().default(null),
});
export type AuthorizeCommandRequest = z.infer<typeof authorizeCommandRequestSchema>;

/** Why a command that a rule allows doesn't run. */
export const COMMAND_HOLDS = [
  'fenced',
  'stopping',
  'cooldown',
  'approval_refused',
  'approval_expired',
  'approval_withdrawn',
  'too_many_approvals',
] as const;
export type CommandHold = (typeof COMMAND_HOLDS)[number];

export const authorizeCommandResponseSchema = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('allowed') }),
  /** No rule asks for approval, and a person has to decide nevertheless: the request is repeated with one. */
  z.object({ verdict: z.literal('needs_approval') }),
  z.object({
    verdict: z.literal('refused'),
    code: z.enum(COMMAND_HOLDS),
    /** A sentence, for the agent and the page. */
    message: z.string(),
  }),
  z.object({
    verdict: z.literal('waiting'),
    /** UUID. */
    approvalId: z.uuid(),
    /** False: it can't be held longer, so the agent's process ends and continues after the decision. */
    isHeld: z.boolean(),
  }),
]);
export type AuthorizeCommandResponse = z.infer<typeof authorizeCommandResponseSchema>;
