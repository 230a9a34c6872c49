/**
 * Runner protocol, version 1: JSON over HTTPS, a runner key as bearer token. Both sides parse
 * with these schemas. Times are ISO 8601 in UTC.
 */

import { z } from 'zod';
import { canarySchema } from './canary';
import { recalledCheckpointSchema } from './checkpoint';
import { checkFactsSchema } from './checks/fact-schema';
import { confinementSchema } from './confinement';
import { questionAnswersSchema, runnerEventSchema } from './events';
import { milliseconds } from './figures';
import { attemptSpecSchema, checkOutcomeStatusSchema, checkSchema, transcriptSchema } from './spec';

export const PROTOCOL_VERSION = 1;
/** Largest body the runner API accepts, in bytes. A batch is cut well below it. */
export const MAX_BODY_BYTES = 4_000_000;
export const MAX_EVENTS_PER_BATCH = 1_000;
export const HEARTBEAT_SECONDS = 15;
export const LEASE_SECONDS = 60;
/** How long a request for directives, or for an attempt, is held open. */
export const HOLD_SECONDS = 25;

/** Name the process that sends a request, and the folder it runs in: UUIDs. */
export const PROCESS_HEADER = 'tierwatch-process';
export const INSTANCE_HEADER = 'tierwatch-instance';
/** Code of the 409 for a process whose runner key another one holds. Any request may get it. */
export const KEY_IN_USE = 'key_in_use';

/** POST /api/runner/v1/enrol (the one-time token is in the body, there is no key yet). */
export const enrolRequestSchema = z.object({
  protocol: z.literal(PROTOCOL_VERSION),
  token: z.string().min(1),
  name: z
    .string()
    .min(1)
    .max(60)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  /** Nobody chose the name: when it is taken, it gets a number. */
  isNameSuggested: z.boolean().optional(),
});
export type EnrolRequest = z.infer<typeof enrolRequestSchema>;

export const enrolResponseSchema = z.object({
  runnerId: z.string(),
  key: z.string(),
  name: z.string().optional(),
  pool: z.string(),
  /** Queues to take attempts from: the pool's, and the runner's own for conversations it holds. */
  queues: z.array(z.string()),
});
export type EnrolResponse = z.infer<typeof enrolResponseSchema>;

/** What the host offers; sent with every heartbeat, since it may change. */
export const capabilitiesSchema = z.object({
  runnerVersion: z.string(),
  hostname: z.string(),
  platform: z.string(),
  user: z.string(),
  isRoot: z.boolean(),
  /** How everything that an attempt started is found at a stop. */
  containment: z.enum(['cgroup', 'marker']),
  /** What each agent may use of the host. Absent: a runner that doesn't limit anything. */
  limits: z
    .object({
      /** Processes and threads at once; null: not limited. */
      processes: z.number().int().positive().nullable(),
      /** Whose are limited: all agents', those in a sandbox alone, or none. */
      of: z.enum(['agents', 'sandboxes', 'none']),
      memoryMb: z.number().int().positive().nullable(),
    })
    .optional(),
  slots: z.number().int().positive(),
  /** Where it claims attempts from: only the web address, or also the queue with its own login. */
  door: z.enum(['https', 'queue']).optional(),
  /** A key from the environment cannot be exchanged by the protocol. */
  keySource: z.enum(['file', 'environment']).optional(),
  /** Its folder for projects, without symbolic links: what a checkpoint's path is matched with. */
  projectsDir: z.string().optional(),
  /** What its checks can do: CHECK_REVISION in `checks/revision.ts`. Absent: 1. */
  checkRevision: z.number().int().positive().optional(),
  /** It knows the directive `check`; one that does not would take none of a list that holds it. */
  canTestChecks: z.boolean().optional(),
  /** It runs checks without an agent: it knows the directive `checks`. */
  canRunChecks: z.boolean().optional(),
  /** It understands starts of purpose `ask`. Runners that don't get none. */
  canAsk: z.boolean().optional(),
  /** It sends its conversations to be kept, and can continue those of other hosts. */
  canSeal: z.boolean().optional(),
  /**
   * It holds commands of ask-first rules until people have decided. Runners that don't would run them,
   * so they get those rules as denied ones.
   */
  canHoldCommands: z.boolean().optional(),
  /**
   * What it runs as. A `file` knows the directive `update`; its checksum tells its version. Absent:
   * a runner from before updates.
   */
  program: z
    .object({
      kind: z.enum(['file', 'checkout', 'container']),
      sha256: z.string().max(64).nullable(),
    })
    .optional(),
  /** Whether attempts can be confined. Absent: a runner that can't confine any. */
  confinement: confinementSchema.optional(),
  harnesses: z.array(
    z.object({
      name: z.string(),
      version: z.string().nullable(),
      /** Hash of the binary and the flags it knows. A pointer made under another is not resumed. */
      fingerprint: z.string().nullable(),
      /** False with a reason in `problem`: missing, not executable, no key. */
      isUsable: z.boolean(),
      problem: z.string().nullable(),
      /** Its help names the flags that continue a conversation and fork it. Absent: it does. */
      canResume: z.boolean().optional(),
      /** False if its requests to the model can't be forwarded out of a sandbox. Absent: they can. */
      canBeConfined: z.boolean().optional(),
      /** Stands for the provider's account and route: a hash of key and address. Null: no key. */
      account: z.string().max(64).nullable().optional(),
      /** Whether it has proven here that it refuses forbidden commands. Absent: an older runner. */
      canaries: z.array(canarySchema).optional(),
    }),
  ),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;

const attemptRefSchema = z.object({ attemptId: z.string(), fence: z.number().int().positive() });

/** POST /api/runner/v1/heartbeat, every 15 s: renews the leases of all running attempts. */
export const heartbeatRequestSchema = z
  .object({
    protocol: z.literal(PROTOCOL_VERSION),
    /** The runner’s capabilities. */
    posture: capabilitiesSchema,
    running: z.array(attemptRefSchema).max(500),
    /** The host's clock. */
    at: z.iso.datetime().optional(),
  })
  .transform(({ posture, ...heartbeat }) => ({ ...heartbeat, capabilities: posture }));
/** As a runner sends it. */
export type HeartbeatBody = z.input<typeof heartbeatRequestSchema>;
export type HeartbeatRequest = z.output<typeof heartbeatRequestSchema>;

/** Why the control plane ends a process. */
export const orderedStopSchema = z.enum(['operator', 'fenced', 'cooldown', 'budget', 'policy']);
export type OrderedStop = z.infer<typeof orderedStopSchema>;

const directiveSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stop'),
    attemptId: z.string(),
    reason: orderedStopSchema,
  }),
  z.object({ kind: z.literal('drain') }),
  z.object({ kind: z.literal('revoked') }),
  /** No more than this many attempts at once, whatever the host offers. */
  z.object({ kind: z.literal('limit'), slots: z.number().int().positive() }),
  /** Ask for a new key, store it, confirm it. */
  z.object({ kind: z.literal('rotate_key') }),
  /** Write a checkpoint of this attempt now. Holds until one came that was asked for. */
  z.object({ kind: z.literal('checkpoint'), attemptId: z.string(), requestedAt: z.iso.datetime() }),
  /**
   * Hand these answers to the question of this attempt. Holds until its `question_closed` came;
   * given to the process once.
   */
  z.object({
    kind: z.literal('answer'),
    attemptId: z.string(),
    requestId: z.string(),
    answers: questionAnswersSchema,
  }),
  /**
   * Replace the program by the file at /runner.mjs, whose SHA-256 (hex) this is: finish the running
   * attempts, fetch, verify, restart. A runner that can't reports why. Holds until it runs that file.
   */
  z.object({ kind: z.literal('update'), sha256: z.string() }),
  /**
   * Run the checks of GET /api/runner/v1/checks, whose digest this is. Holds for as long as there are any;
   * without it the runner runs none.
   */
  z.object({ kind: z.literal('checks'), digest: z.string() }),
  /** Run this check now and say what it finds: POST /api/runner/v1/check-tests/{testId}. */
  z.object({
    kind: z.literal('check'),
    testId: z.uuid(),
    service: z.string(),
    check: checkSchema,
    /** As in AttemptSpec. */
    checkRevision: z.number().int().positive().optional(),
  }),
]);
export type Directive = z.infer<typeof directiveSchema>;

/** Characters of what a tried check has found. */
export const MAX_CHECK_ERROR = 2_000;
export const checkTestOutcomeSchema = z.object({
  status: checkOutcomeStatusSchema,
  /** One sentence; empty when healthy. */
  error: z.string().max(MAX_CHECK_ERROR),
  responseTimeMs: milliseconds.nullable().catch(null),
  facts: checkFactsSchema.optional().catch(undefined),
});
export type CheckTestOutcome = z.infer<typeof checkTestOutcomeSchema>;

/**
 * GET /api/runner/v1/directives?seen=…: held open until the directives differ from the state that
 * `seen` identifies.
 */
export const directivesQuerySchema = z.object({ seen: z.string().max(100).optional() });

/** Everything that holds now; what is no longer in it is over. Also the answer to a heartbeat. */
export const directivesResponseSchema = z.object({
  directives: z.array(directiveSchema),
  /** Stands for these directives in the next request. */
  digest: z.string().optional(),
});
export type DirectivesResponse = z.infer<typeof directivesResponseSchema>;

/**
 * GET /api/runner/v1/next-attempt, held open until one waits: the control plane takes it off the
 * queue on the runner's behalf. The claim follows; what is not claimed is enqueued again.
 */
export const nextAttemptResponseSchema = z.object({ attemptId: z.string().nullable() });
export type NextAttemptResponse = z.infer<typeof nextAttemptResponseSchema>;

/** GET /api/runner/v1/attempts/{id}/checkpoints?limit=…: what the tool `recall_checkpoints` answers. */
export const MAX_RECALLED = 20;
export const DEFAULT_RECALLED = 5;
export const recallQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_RECALLED).default(DEFAULT_RECALLED),
});
export const recallResponseSchema = z.object({ checkpoints: z.array(recalledCheckpointSchema) });

/**
 * POST /api/runner/v1/conversations/superseded: of the conversations whose files a runner keeps,
 * those that can no longer be continued. What the control plane doesn't know is never among them.
 */
export const MAX_ASKED_CONVERSATIONS = 500;
export const supersededRequestSchema = z.object({
  cliSessionIds: z.array(z.uuid()).max(MAX_ASKED_CONVERSATIONS),
});
export const supersededResponseSchema = z.object({ superseded: z.array(z.string()) });

/** POST /api/runner/v1/key: a new key; the old one is good until the new one is confirmed. */
export const newKeyResponseSchema = z.object({ key: z.string() });
export type NewKeyResponse = z.infer<typeof newKeyResponseSchema>;

/** POST /api/runner/v1/key/confirm, under the new key once it is stored. Idempotent. */
export const confirmKeyRequestSchema = z.object({ key: z.string() });

/** POST /api/runner/v1/update-failed: the update to this file was not made, or was taken back. */
export const updateFailedRequestSchema = z.object({
  /** Empty if it isn't known. */
  sha256: z.string().max(64),
  reason: z.string().max(2_000),
});
export type UpdateFailedRequest = z.infer<typeof updateFailedRequestSchema>;

/** GET /api/runner/v1/me: what a restarted runner asks first. */
export const meResponseSchema = z.object({
  runnerId: z.string(),
  organizationId: z.string(),
  name: z.string(),
  pool: z.string(),
  queues: z.array(z.string()),
  isDraining: z.boolean(),
});
export type MeResponse = z.infer<typeof meResponseSchema>;

/**
 * POST /api/runner/v1/attempts/{id}/claim. The same process may repeat the request when the answer
 * was lost; after a restart it can't, because the agent may already have been started.
 */
export const claimRequestSchema = z.object({
  /** Drawn at random when the runner process starts. */
  processId: z.uuid().optional(),
});

/** The claim answers an AttemptSpec, or 409 with this as `code`. */
export const claimRefusalSchema = z.enum([
  'not_queued',
  'not_this_runner',
  'tier_not_allowed',
  /** The runner's version does not understand such a start. */
  'runner_too_old',
  /** The version of the agent's CLI on the runner's host is on a denylist. */
  'cli_denied',
  /** The start has to be confined, and the runner's host can't confine agents. */
  'not_confined',
  'project_busy',
  'held_back',
]);
export type ClaimRefusal = z.infer<typeof claimRefusalSchema>;

const numberedEventSchema = z.object({
  /** Without gaps per attempt, from 1. */
  seq: z.number().int().positive(),
  at: z.iso.datetime(),
  event: runnerEventSchema,
});

/** POST /api/runner/v1/events: one stream of batches for all attempts of a runner. */
export const eventsRequestSchema = z.object({
  protocol: z.literal(PROTOCOL_VERSION),
  batches: z
    .array(attemptRefSchema.extend({ events: z.array(numberedEventSchema).min(1) }))
    .max(200),
});
export type EventsRequest = z.infer<typeof eventsRequestSchema>;

export const eventsResponseSchema = z.object({
  /** Highest sequence number stored without a gap; the runner deletes everything up to it and continues after it. */
  acknowledged: z.array(z.object({ attemptId: z.string(), seq: z.number().int().nonnegative() })),
  directives: z.array(directiveSchema),
});
export type EventsResponse = z.infer<typeof eventsResponseSchema>;

const handoffFileSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('not_expected') }),
  z.object({ state: z.literal('absent') }),
  z.object({ state: z.literal('deleted_unread'), why: z.string() }),
  z.object({ state: z.literal('unreadable'), error: z.string() }),
  z.object({ state: z.literal('read'), content: z.string() }),
]);
export type HandoffFile = z.infer<typeof handoffFileSchema>;

/** Why the runner ended the process itself. */
const stopCauseSchema = z.enum([
  ...orderedStopSchema.options,
  'timed_out',
  'stalled',
  'surplus_tools',
  'runner_shutdown',
  'disk_full',
  /** The gateway of a confined agent cut off its requests: its budget is used up. */
  'max_budget',
  /** A command waits for a person's approval for longer than it can be held. */
  'approval',
]);
export type StopCause = z.infer<typeof stopCauseSchema>;

/** How an attempt ended. */
export const attemptResultSchema = z.object({
  protocol: z.literal(PROTOCOL_VERSION),
  fence: z.number().int().positive(),
  /** The last event's sequence number; the result counts once all up to it are stored. */
  lastSeq: z.number().int().nonnegative(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime(),
  /** Set when no process could be started. */
  startError: z
    .object({
      code: z.enum([
        'missing',
        'not_executable',
        'version',
        'argument_list',
        'disk_full',
        'runner_restarted',
        /** It was to resume a conversation that was held in another folder of the same path. */
        'work_dir_changed',
        /** The transcript of the conversation to resume isn't the one that was written. */
        'transcript_changed',
        /** The conversation of another host couldn't be had from the control plane. */
        'seal_unavailable',
        /** The agent's program or its account isn't the one that was evaluated. */
        'agent_changed',
        /** The start has to be confined, and this host can't confine the agent. */
        'not_confined',
        'other',
      ]),
      message: z.string(),
    })
    .nullable(),
  /** A code that no process can end with counts as none. */
  exit: z
    .object({ code: z.int32().nullable().catch(null), signal: z.string().nullable() })
    .nullable(),
  stopCause: stopCauseSchema.nullable(),
  /** The last 16 kB of stderr. */
  stderrTail: z.string(),
  /** The transcript file of the conversation stood on disk after the end. */
  transcriptSeen: z.boolean(),
  /** That file, read right after the end. Null: there is none, or the runner doesn't report it. */
  transcript: transcriptSchema.nullable().default(null).catch(null),
  handoffFile: handoffFileSchema,
  /** Processes of the attempt that were still alive after its end and were killed. */
  leftoversKilled: z.int32().nonnegative().catch(0),
});
export type AttemptResult = z.infer<typeof attemptResultSchema>;

/** The result of an attempt of which nothing has run, for everything that its end doesn't say. */
export const NOTHING_RAN = {
  protocol: PROTOCOL_VERSION,
  lastSeq: 0,
  startedAt: null,
  startError: null,
  exit: null,
  stopCause: null,
  stderrTail: '',
  transcriptSeen: false,
  transcript: null,
  handoffFile: { state: 'not_expected' },
  leftoversKilled: 0,
} as const satisfies Partial<AttemptResult>;

/**
 * POST /api/runner/v1/attempts/{id}/result, after the events of the attempt or with the last of
 * them: what follows the attempt need not wait for a request more. Idempotent.
 */
export const resultRequestSchema = attemptResultSchema.extend({
  events: z.array(numberedEventSchema).max(MAX_EVENTS_PER_BATCH).default([]),
  /** The runner keeps a slot for what follows: it may be claimed in the same answer. */
  claimsNext: z.boolean().default(false),
  /** As in a claim. */
  processId: z.uuid().optional(),
});
export type ResultRequest = z.infer<typeof resultRequestSchema>;

export const resultResponseSchema = z.object({
  /** False for a late result: stored, but it decides nothing. */
  decides: z.boolean(),
  /** What follows and waits for this runner or its pool: it may be claimed before its job arrives. */
  nextAttemptId: z.string().nullable().default(null),
  /** The same one, claimed already, where the runner asked for that and it may be started now. */
  next: attemptSpecSchema.nullable().default(null),
});
export type ResultResponse = z.infer<typeof resultResponseSchema>;

/** Version of the runner's program; raised with every change that hosts should get. */
export const RUNNER_VERSION = '1.5.0';
