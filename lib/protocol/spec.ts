/** What one attempt is to do, as the control plane says it and the runner starts it. */

import { z } from 'zod';
import { AGENT_NAMES } from './agent-names';
import { DEFAULT_CHECK_SECONDS, everySeconds } from './checks/check-kind';
import { CHECK_FIELDS, fieldSchemas } from './checks/field-schema';
import { CHECK_TYPES } from './checks/kinds';
import { startIsolationSchema } from './confinement';

export type JsonObject = { [key: string]: unknown };

export const tierSchema = z.union([z.literal(1), z.literal(2), z.literal(3)]);
export type Tier = z.infer<typeof tierSchema>;

/**
 * What an attempt is for: a tier's work, a look at what a lost one did, a turn of a conversation.
 * `continue` and `approval` continue the session's own conversation: after it went silent, and after
 * a person decided about a command.
 */
export const ATTEMPT_PURPOSES = ['tier', 'reconcile', 'continue', 'approval', 'ask'] as const;
export const attemptPurposeSchema = z.enum(ATTEMPT_PURPOSES);
export type AttemptPurpose = z.infer<typeof attemptPurposeSchema>;

/** What a check that was performed has proven about its target. */
export const CHECK_STATUSES = ['healthy', 'degraded', 'down'] as const;
export const checkStatusSchema = z.enum(CHECK_STATUSES);

/**
 * What is known about a service, or found by one check. `unknown`: nothing was checked, or the check
 * couldn't be performed, so it neither passed nor proves an outage.
 */
export const SERVICE_STATUSES = [...CHECK_STATUSES, 'unknown'] as const;
export const serviceStatusSchema = z.enum(SERVICE_STATUSES);

/** The outcome of a check, as one side sends it to the other: a status of a later version is unknown. */
export const checkOutcomeStatusSchema = serviceStatusSchema.catch('unknown');

export const harnessNameSchema = z.enum(AGENT_NAMES);
export type HarnessName = z.infer<typeof harnessNameSchema>;

export const checkTypeSchema = z.enum(CHECK_TYPES);

/**
 * One check. Which fields belong to which kind is validated where a project is saved
 * (`lib/projects/check-problems.ts`); a runner ignores fields of other kinds.
 */
export const checkSchema = z.object({
  type: checkTypeSchema,
  /** What it means is up to the kind: a URL, a host, a program with its arguments, a name. */
  target: z.string().min(1, 'Enter a target.').max(500),
  ...fieldSchemas(CHECK_FIELDS),
  /** How often runners perform it, in seconds; DEFAULT_CHECK_SECONDS where absent. */
  ...fieldSchemas({ everySeconds }),
  timeoutSeconds: z.number().min(1).max(60).default(5),
});
export type CheckSpec = z.infer<typeof checkSchema>;

/**
 * Returns the time between two executions of a check, in seconds.
 *
 * @param usual the project's interval; null or absent where its checks only run in chains
 */
export function checkIntervalSeconds(
  { everySeconds }: Pick<CheckSpec, 'everySeconds'>,
  usual: number | null = null,
): number {
  return everySeconds ?? usual ?? DEFAULT_CHECK_SECONDS;
}

export const serviceSchema = z.object({
  name: z
    .string()
    .min(1, 'Enter a name.')
    .max(60, 'A name has at most 60 characters.')
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'Use letters, digits, dots, hyphens and underscores.'),
  checks: z.array(checkSchema).max(20),
});
export type ServiceSpec = z.infer<typeof serviceSchema>;

/** A conversation's transcript file as a runner found it on its disk. */
export const transcriptSchema = z.object({
  bytes: z.number().int().nonnegative(),
  /** Of the whole file, in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Transcript = z.infer<typeof transcriptSchema>;

/**
 * How this start relates to the conversation before it. A start with a predecessor carries
 * exactly one of a resumed conversation, a handoff and a transcript (conversations only).
 */
const continuationSchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('fresh') }),
  z.object({
    mode: z.literal('resume'),
    parentCliSessionId: z.uuid(),
    /**
     * Where the conversation was held, as its `command` event says. In another folder the runner
     * starts nothing: `work_dir_changed`. Null or absent: not known, so nothing is compared.
     */
    workDirInode: z.string().nullable().optional(),
    /**
     * The transcript when its process ended. If the file differs, the runner starts nothing:
     * `transcript_changed`. Null or absent: not known, so nothing is compared.
     */
    transcript: transcriptSchema.nullable().optional(),
    /**
     * Set if another host held the conversation: the runner gets it with GET
     * /api/runner/v1/attempts/{id}/seal before it starts the process, or starts nothing:
     * `seal_unavailable`.
     */
    sealId: z.uuid().nullable().optional(),
  }),
  z.object({ mode: z.literal('handoff') }),
  z.object({ mode: z.literal('transcript') }),
]);
export type Continuation = z.infer<typeof continuationSchema>;

const limitsSchema = z.object({
  timeoutSeconds: z.number().int().positive(),
  /** Without an event and without an open tool call. */
  stallSeconds: z.number().int().positive(),
  maxTurns: z.number().int().positive(),
  /** US dollars for this process; never 0, which the CLI treats as an error. Null: no limit. */
  maxBudgetUsd: z.number().positive().nullable(),
});
export type Limits = z.infer<typeof limitsSchema>;

/** How a session's checkpoints are written. Null in a start: none are. */
const checkpointPlanSchema = z.object({
  /** The project's name, for the digest. */
  project: z.string(),
  promptInterval: z.number().int().positive(),
  timeIntervalMs: z.number().int().positive(),
  /** Characters that a compacted conversation gets back. */
  recoveryBudgetChars: z.number().int().positive(),
});
export type CheckpointPlan = z.infer<typeof checkpointPlanSchema>;

/** The checkpoint whose text is part of a start's system prompt. */
const recoverySchema = z.object({
  /** UUIDs. */
  checkpointId: z.uuid(),
  sessionId: z.uuid(),
  /** `#18.1`: session and attempt that wrote it. */
  label: z.string(),
  /** attempt: of this session; parent: of the previous session; project: of an earlier chain. */
  lineage: z.enum(['attempt', 'parent', 'project']),
  at: z.iso.datetime(),
  /** The part that is in the system prompt at the start. */
  section: z.string(),
});
export type Recovery = z.infer<typeof recoverySchema>;

/**
 * What a confined agent may have run outside its sandbox, by the runner's command broker. Rules are
 * as the project wrote them, with placeholders; the values are those that they stand for.
 */
export const commandPolicySchema = z.object({
  allowed: z.array(z.string()),
  /** They override allowed rules. */
  denied: z.array(z.string()),
  /** What they allow runs only once a person has approved it. They override allowed rules, too. */
  askFirst: z.array(z.string()).default([]),
  /** Commands that people have refused: the control plane is asked about each that may be one of them. */
  refused: z.array(z.array(z.string())).optional(),
  /** Files below the runner's secrets folder, and the rules whose commands get them as a variable. */
  secrets: z.array(z.object({ name: z.string(), rules: z.array(z.string()) })).default([]),
  values: z.object({
    /** What checks name, by their type. A control plane of an earlier version doesn't say. */
    targets: z
      .object({
        container: z.array(z.string()),
        service: z.array(z.string()),
        process: z.array(z.string()),
      })
      .default({ container: [], service: [], process: [] }),
    /** Empty. Runners of earlier versions take it for every program. */
    service: z.array(z.string()).default([]),
    host: z.array(z.string()),
    url: z.array(z.string()),
  }),
});
export type CommandPolicy = z.infer<typeof commandPolicySchema>;

/** Everything that decides the argv, environment and input of one CLI process. */
export const startSpecSchema = z.object({
  harness: harnessNameSchema,
  tier: tierSchema,
  /** `ask`: a turn of a conversation, which looks with tier 1's tools and answers in words. */
  /** A continuation starts as a tier: what differs is its prompt and conversation. */
  purpose: attemptPurposeSchema.exclude(['continue', 'approval']),
  model: z.string().min(1),
  /** UUID minted by the control plane for this process's conversation. */
  cliSessionId: z.uuid(),
  continuation: continuationSchema,
  /** Goes in by stdin. */
  prompt: z.string().min(1),
  /** Appended to the CLI's own system prompt, by file. Holds the handoff context in handoff mode. */
  systemPrompt: z.string(),
  /** Tools the agent can see (`--tools`). */
  tools: z.array(z.string()),
  /** Permission rules of the CLI. */
  allowedRules: z.array(z.string()),
  disallowedRules: z.array(z.string()),
  /** Whether the agent is confined to a sandbox. */
  isolation: startIsolationSchema.default('off'),
  /** For a confined agent, in the place of its rules for commands. Null: none may run outside. */
  commands: commandPolicySchema.nullable().default(null),
  /** JSON Schema of the report. Null (`ask`): the answer is the result's text. */
  reportSchema: z.record(z.string(), z.unknown()).nullable(),
  limits: limitsSchema,
  /** True only in handoff mode below tier 3: the agent may write handoff.json. */
  writesHandoffFile: z.boolean(),
  /**
   * Seconds for which a question of the agent waits for a person (only `ask`); then the runner
   * replies that nobody answered. Null: the agent cannot ask.
   */
  questionWaitSeconds: z.number().int().positive().max(86_400).nullable().default(null),
  /**
   * The agent that the decision was made for, as the runner last reported it. The runner starts no
   * other: `agent_changed`. A field that is null is not compared.
   */
  agent: z
    .object({ fingerprint: z.string().nullable(), account: z.string().nullable() })
    .nullable()
    .default(null),
  checkpoints: checkpointPlanSchema.nullable().default(null),
  recovery: recoverySchema.nullable().default(null),
});
export type StartSpec = z.infer<typeof startSpecSchema>;

/** The answer to a claim: the start, and what the runner needs around it. */
export const attemptSpecSchema = z.object({
  attemptId: z.string(),
  sessionId: z.string(),
  organizationId: z.string(),
  projectId: z.string(),
  /** Shown in logs: `#18.2`. */
  label: z.string(),
  /** Every write about this attempt carries it; an older one changes nothing. */
  fence: z.number().int().positive(),
  leaseSeconds: z.number().int().positive(),
  start: startSpecSchema,
  services: z.array(serviceSchema),
  /**
   * What the control plane knows of checks: CHECK_REVISION in `checks/revision.ts`. Absent: 1, so an
   * `unknown` outcome has to be sent as `down`.
   */
  checkRevision: z.number().int().positive().optional(),
  /** W3C trace context of the attempt, given to its processes as TRACEPARENT. Absent: nothing exports traces. */
  traceparent: z
    .string()
    .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional(),
  /** Tier 1's rules, by which checks of the kind `command` may run. Absent without such a check. */
  checkCommands: commandPolicySchema.optional(),
  /** Names of runner-local secret files whose contents are redacted from everything sent. */
  secretNames: z.array(z.string()),
});
export type AttemptSpec = z.infer<typeof attemptSpecSchema>;
