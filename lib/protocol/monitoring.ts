/** Checks that a runner runs without an agent: GET /api/runner/v1/checks, POST …/check-results. */
import { z } from 'zod';
import { milliseconds } from './figures';
import { commandPolicySchema, serviceStatusSchema } from './spec';

/** More are sent with another request. */
export const MAX_CHECK_RESULTS = 500;
/** Characters of what a check found. */
const MAX_ERROR = 2_000;
/** Older results are of no use: the control plane has judged without them. */
export const MAX_RESULT_AGE_MS = 600_000;

const plannedCheckSchema = z.object({
  checkId: z.uuid(),
  service: z.string(),
  /** CheckSpec in spec.ts. One of a kind that the runner doesn't know has the result `unknown`. */
  check: z.unknown(),
  everySeconds: z.number().int().positive(),
});
export type PlannedCheck = z.infer<typeof plannedCheckSchema>;

/** Everything that the runner runs now; what isn't in it is over. */
export const checkPlanSchema = z.object({
  /** As in the directive `checks`. */
  digest: z.string(),
  projects: z.array(
    z.object({
      projectId: z.uuid(),
      /** Sent back with each result. One under an earlier epoch is refused. */
      epoch: z.number().int().positive(),
      /** Tier 1's rules, by which checks of the kind `command` may run. Absent without such a check. */
      commands: commandPolicySchema.optional(),
      checks: z.array(plannedCheckSchema),
    }),
  ),
});
export type CheckPlan = z.infer<typeof checkPlanSchema>;

const planResultSchema = z.object({
  projectId: z.uuid(),
  epoch: z.number().int().positive(),
  checkId: z.uuid(),
  status: serviceStatusSchema,
  /** One sentence; empty when healthy. */
  error: z.string().max(MAX_ERROR),
  responseTimeMs: milliseconds.nullable().catch(null),
  /**
   * Which run it is of: the process, and a number that its later runs exceed. It tells a repeat, whatever
   * the host's clock does. Absent: a runner from before runs had numbers.
   */
  run: z.object({ processId: z.uuid(), number: z.int().positive() }).optional(),
  /** When it was had, by the runner's clock: tells a repeat where runs have no numbers. */
  ranAt: z.iso.datetime(),
  /** How long ago that was when the request was sent: clocks may differ. */
  agoMs: z.number().int().nonnegative().max(MAX_RESULT_AGE_MS),
});
export type PlanResult = z.infer<typeof planResultSchema>;

export const checkResultsRequestSchema = z.object({
  results: z.array(planResultSchema).min(1).max(MAX_CHECK_RESULTS),
});
export type CheckResultsRequest = z.infer<typeof checkResultsRequestSchema>;

export const checkResultsResponseSchema = z.object({
  /** Projects whose checks this runner doesn't run, or under another epoch: it asks for its plan again. */
  refused: z.array(z.uuid()),
  /** Projects whose results couldn't be stored this time: the runner keeps them and sends them again. */
  notStored: z.array(z.uuid()).default([]),
});
export type CheckResultsResponse = z.infer<typeof checkResultsResponseSchema>;
