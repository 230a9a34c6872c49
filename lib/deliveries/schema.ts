/**
 * Webhook endpoints as people enter them, and the events as they are sent. Times are ISO 8601 in
 * UTC, money is US dollars. Fields are added and never removed.
 */

import { z } from 'zod';
import {
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  APPROVAL_VERDICTS,
  CHAIN_OUTCOMES,
  chainTriggerSchema,
} from '@/lib/engine/statuses';
import { INCIDENT_NOTICES, type IncidentNotice } from '@/lib/incidents/states';
import { incidentWebhookSchema } from '@/lib/incidents/view';
import { BLOCK_REASONS } from '@/lib/monitoring/block';
import { checkTarget, type TargetRules } from '@/lib/platform/outbound-http/target-policy';
import { alertSubjectSchema } from './alert';

const INCIDENT_WEBHOOKS = INCIDENT_NOTICES.map((notice) => `incident.${notice}` as const);

/** Events that an endpoint can subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
  'chain.completed',
  'chain.needs_human',
  'chain.started',
  'chain.escalated',
  'approval.requested',
  'approval.decided',
  'approval.expired',
  ...INCIDENT_WEBHOOKS,
  'session.completed',
  'budget.warning',
  'budget.reached',
  'runner.offline',
  'runner.key_shared',
  'checks.blocked',
  'checks.resumed',
] as const;
const webhookEventTypeSchema = z.enum(WEBHOOK_EVENT_TYPES);
export type WebhookEventType = z.infer<typeof webhookEventTypeSchema>;

/** Stands for what is not shown. */
export const MASK = '••••';

/** The URL is judged when it is entered; the address it resolves to, at every delivery. */
function webhookUrlSchema(rules: TargetRules) {
  return z
    .string()
    .trim()
    .superRefine((text, context) => {
      const check = checkTarget(text, rules);
      if (text.includes(MASK)) {
        context.addIssue({
          code: 'custom',
          message: 'Part of this URL is masked. Enter the full URL.',
        });
      }
      if (check.ok) return;
      context.addIssue({
        code: 'custom',
        message: check.message,
        params: { reason: check.reason },
      });
    });
}

export function webhookEndpointSchema(rules: TargetRules) {
  return z.object({
    url: webhookUrlSchema(rules).meta({
      description: 'Where events are sent: https, a public address.',
    }),
    description: z
      .string()
      .trim()
      .max(200, 'A description has at most 200 characters.')
      .meta({ description: 'Your own words.' })
      .default(''),
    eventTypes: z
      .array(webhookEventTypeSchema)
      .min(1, 'Choose at least one event.')
      .transform((types) => [...new Set(types)])
      .meta({ description: 'Events it is subscribed to.' }),
    /** Null: every project of the organization. */
    projectId: z.string().nullable().default(null),
  });
}

const time = z.iso.datetime();
const usd = z.number().nonnegative();
const count = z.number().int().nonnegative();
const named = z.object({ id: z.string(), slug: z.string(), name: z.string() });

const chainReference = z.object({ id: z.string(), number: z.number().int().positive() });

const sessionData = z.object({
  id: z.string(),
  number: z.number().int().positive(),
  tier: z.number().int().min(1).max(3),
  model: z.string(),
  status: z.string(),
  /** fresh, resume or handoff; null when it never started. */
  mechanism: z.string().nullable(),
  /** Code of the resume decision. */
  reason: z.string().nullable(),
  costUsd: usd,
  durationMs: count.nullable(),
  turns: count,
});

/** Fields of every event. `summary` is one plain sentence, `link` leads to the page. */
const about = z.object({
  organization: named,
  project: named,
  summary: z.string(),
  link: z.url(),
});

const chainSummarySchema = about.extend({
  chain: chainReference.extend({
    trigger: chainTriggerSchema,
    outcome: z.enum(CHAIN_OUTCOMES),
    /** Reason code of the outcome, and its sentence. */
    reason: z.string().nullable(),
    explanation: z.string(),
    /** 0 if no session started. */
    highestTier: z.number().int().min(0).max(3),
    isDryRun: z.boolean(),
    startedAt: time.nullable(),
    endedAt: time,
  }),
  /** In the order in which they ran. */
  sessions: z.array(sessionData),
  totalCostUsd: usd,
  servicesAffected: z.array(z.string()),
});
export type ChainSummary = z.infer<typeof chainSummarySchema>;

const chainStarted = about.extend({
  chain: chainReference.extend({ trigger: chainTriggerSchema, startedAt: time }),
});
const chainEscalated = about.extend({
  chain: chainReference,
  from: sessionData,
  to: sessionData.pick({ id: true, number: true, tier: true, model: true }),
  servicesAffected: z.array(z.string()),
});
/** What a person decides about. To decide, they sign in behind `link`, or use the API with `id`. */
const approvalEvent = about.extend({
  chain: chainReference,
  approval: z.object({
    id: z.string(),
    kind: z.enum(APPROVAL_KINDS),
    status: z.enum(APPROVAL_STATUSES),
    tier: z.number().int().min(1).max(3),
    /** Program and arguments; null for the start of a tier. */
    argv: z.array(z.string()).nullable(),
    services: z.array(z.string()),
    /** The agent’s words, or why the tier is due. */
    reason: z.string(),
    /** SHA-256 of what is decided about. */
    digest: z.string(),
    expiresAt: time,
    /** E-mails of those who have decided, with their verdicts. */
    votes: z.array(z.object({ person: z.string(), verdict: z.enum(APPROVAL_VERDICTS) })),
  }),
});
/** An outage, from the first failure to the proven recovery. */
const incidentEvent = about.extend({
  ...incidentWebhookSchema.shape,
  /** The newest chain that looked at it. */
  chain: chainReference.nullable(),
});
const sessionCompleted = about.extend({ chain: chainReference, session: sessionData });
const budgetEvent = about.extend({
  /** Null for the budget of a day or a month. */
  chain: chainReference.nullable(),
  budget: z.object({
    scope: z.enum(['attempt', 'chain', 'day', 'month']),
    limitUsd: usd,
    spentUsd: usd,
  }),
});
const runnerOffline = about.omit({ project: true }).extend({
  runner: z.object({ id: z.string(), name: z.string(), pool: z.string(), lastSeenAt: time }),
});
const runnerKeyShared = about.omit({ project: true }).extend({
  runner: z.object({ id: z.string(), name: z.string() }),
});
const checksEvent = about.extend({
  checks: z.object({
    /** Since when nothing is checked, or was. */
    since: time,
    /** Null once it is over. */
    reason: z.enum(BLOCK_REASONS).nullable(),
  }),
});
/** Sent only by "Send test event", to this one endpoint. */
const webhookTest = about.omit({ project: true }).extend({ endpointId: z.string() });

function event<const Types extends readonly string[], Data extends z.ZodType>(
  types: Types,
  data: Data,
) {
  return z.object({
    type: z.enum(types),
    timestamp: time,
    data,
    /** The outage that the event is about, if it is about one. */
    alert: alertSubjectSchema.optional(),
  });
}

export const webhookEventSchema = z.discriminatedUnion('type', [
  event(['chain.completed', 'chain.needs_human'], chainSummarySchema),
  event(['chain.started'], chainStarted),
  event(['chain.escalated'], chainEscalated),
  event(['approval.requested', 'approval.decided', 'approval.expired'], approvalEvent),
  event(INCIDENT_WEBHOOKS, incidentEvent),
  event(['session.completed'], sessionCompleted),
  event(['budget.warning', 'budget.reached'], budgetEvent),
  event(['runner.offline'], runnerOffline),
  event(['runner.key_shared'], runnerKeyShared),
  event(['checks.blocked', 'checks.resumed'], checksEvent),
  event(['webhook.test'], webhookTest),
]);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;
export type IncidentWebhookEvent = Extract<WebhookEvent, { type: `incident.${string}` }>;

/** Returns what happened in an incident. */
export function noticeOf({ type }: IncidentWebhookEvent): IncidentNotice {
  return type.slice('incident.'.length) as IncidentNotice;
}

/** An event together with what it is about, as the modules pass it on. */
export interface Happening {
  event: WebhookEvent;
  /** UUID of the project; null when it is about the organization. */
  projectId: string | null;
  /** UUID */
  chainId: string | null;
  /**
   * Identifies what happened, such as `chain.completed:<uuid>`: each recipient receives it once,
   * however often it is announced.
   */
  occasion: string;
}
