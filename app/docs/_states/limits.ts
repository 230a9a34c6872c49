import { ROTATION_OVERLAP_HOURS } from '@/lib/deliveries/endpoints/signing';
import { DELIVERY_RETENTION_DAYS } from '@/lib/deliveries/manage-deliveries';
import * as retries from '@/lib/deliveries/outbox/retry-policy';
import { RECOVERY_WINDOW_HOURS } from '@/lib/engine/checkpoints/recovery';
import { MAX_WAIT_SECONDS } from '@/lib/engine/continuation/retry';
import { HOST_WAIT_SECONDS } from '@/lib/engine/kinds/tier/settle/start-next';
import { LOG_RETENTION_DAYS } from '@/lib/engine/retention';
import { QUIET_SECONDS } from '@/lib/engine/sweep/sweep';
import { HOST_SILENT_SECONDS } from '@/lib/engine/sweep/wait-sentence';
import { ENROLMENT_MS, STOP_MS } from '@/lib/fleet/manage-runners';
import { MAX_SKEW_MS } from '@/lib/fleet/problems';
import { OFFLINE_AFTER_SECONDS, STALE_DAYS } from '@/lib/fleet/status';
import { createApiTokenSchema } from '@/lib/identity/api-tokens/schema';
import { AUTH_SESSION_SECONDS } from '@/lib/identity/auth/auth-sessions';
import { RESET_LIFETIME_MS } from '@/lib/identity/auth/password-resets';
import { INVITATION_DAYS } from '@/lib/identity/invitations/schema';
import { formatCount } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';
import { WORKER_GONE_MS } from '@/lib/platform/health';
import { KEPT_MS } from '@/lib/platform/http/idempotency';
import { DEFAULT_MAX_BODY_BYTES } from '@/lib/platform/http/read-body';
import { AUTHORIZE_MS } from '@/lib/platform/live/event-stream';
import * as limits from '@/lib/platform/rate-limits';
import { DEFAULT_CONFIG } from '@/lib/projects/default-config';
import { HEARTBEAT_SECONDS, HOLD_SECONDS, LEASE_SECONDS } from '@/lib/protocol/schema';
import { CLAIM_MS } from '@/workers/runner/claim-loop';
import { INTERRUPT_MS } from '@/workers/runner/process/stop';
import { DELIVER_AT_END_MS } from '@/workers/runner/runner';

type LimitRow = readonly [what: string, value: string];

const ms = (value: number) => formatSpan(value / 1_000);
const days = (value: number) => `${value}d`;
const rate = ({ points, perSeconds }: limits.Limit) => `${points} in ${formatSpan(perSeconds)}`;
const usd = (value: number | null) => (value === null ? 'none' : `$${value}`);

const { budgets, checkpoints, cooldowns, contextThreshold, schedule, tiers } = DEFAULT_CONFIG;
const token = createApiTokenSchema.parse({ name: 'x', scopes: ['all'] });

/** What a new project begins with; every value can be changed in its settings. */
export const TIER_LIMITS = tiers.map((tier) => [
  `Tier ${tier.tier}`,
  tier.model,
  formatSpan(tier.timeoutSeconds),
  formatSpan(tier.stallSeconds),
  String(tier.maxTurns),
  usd(tier.maxBudgetUsd),
]);

export const PROJECT_LIMITS: readonly LimitRow[] = [
  ['Schedule', schedule.kind === 'interval' ? `every ${formatSpan(schedule.everySeconds)}` : '—'],
  [
    'Budget of a chain, a UTC day, a UTC month',
    [budgets.chainUsd, budgets.dayUsd, budgets.monthUsd].map(usd).join(', '),
  ],
  ['Context above which a tier starts from the handoff', `${contextThreshold * 100} %`],
  ...cooldowns.map(
    ({ action, limit, windowSeconds }): LimitRow => [
      `Cooldown: ${action} of one service`,
      `${limit} in ${formatSpan(windowSeconds)}`,
    ],
  ),
  [
    'A checkpoint is written after',
    `${checkpoints.promptInterval} prompts and tool results, or ${ms(checkpoints.timeIntervalMs)}`,
  ],
  [
    'Checkpoints of a session, and how long each is kept',
    `${checkpoints.maxCheckpointsPerSession}, ${days(checkpoints.retentionDays)}`,
  ],
  ['Characters of a checkpoint that a start reads', formatCount(checkpoints.recoveryBudgetChars)],
];

export const FIXED_LIMITS: Record<string, readonly LimitRow[]> = {
  Runners: [
    ['Enrolment token', `${ms(ENROLMENT_MS)}, one host`],
    ['Open request for work or directives', `${formatSpan(HOLD_SECONDS)}, then asked again`],
    ['Heartbeat', `every ${formatSpan(HEARTBEAT_SECONDS)}`],
    [
      'Shown as offline, and told about',
      `${formatSpan(OFFLINE_AFTER_SECONDS)} after the last heartbeat`,
    ],
    ['So long silent that nobody is told any more', days(STALE_DAYS)],
    ['Difference of clocks that is warned about', ms(MAX_SKEW_MS)],
    ['Lease of an attempt, renewed by each heartbeat', formatSpan(LEASE_SECONDS)],
    ['Lease after a revoke', ms(STOP_MS)],
    ['Stop: from SIGINT to SIGKILL', ms(INTERRUPT_MS)],
    ['A claim without an answer is given up after', ms(CLAIM_MS)],
    ['An attempt that nobody claimed is enqueued again after', formatSpan(QUIET_SECONDS)],
    [
      'A start waits for the host that holds its conversation',
      `at most ${formatSpan(HOST_WAIT_SECONDS)}`,
    ],
    ['…but not for one that hasn’t responded in', formatSpan(HOST_SILENT_SECONDS)],
    ['A runner that ends delivers what it has for', ms(DELIVER_AT_END_MS)],
  ],
  Chains: [
    ['Longest wait for a provider before a session ends instead', formatSpan(MAX_WAIT_SECONDS)],
    ['Log of a session is kept for', days(LOG_RETENTION_DAYS)],
    ['A cycle recovers from one before it within', `${RECOVERY_WINDOW_HOURS}h`],
  ],
  'Webhooks and notifications': [
    ['An attempt waits for its answer', ms(retries.ATTEMPT_TIMEOUT_MS)],
    [
      'Attempts, each after the one before',
      retries.ATTEMPT_DELAYS_SECONDS.map(formatSpan).join(', '),
    ],
    ['Switched off after nothing but failures for', days(retries.DISABLE_AFTER_FAILING_DAYS)],
    ['A delivery that is over is kept for', days(DELIVERY_RETENTION_DAYS)],
    ['Both secrets sign after a rotation for', `${ROTATION_OVERLAP_HOURS}h`],
  ],
  'People and sign-in': [
    ['Invitation', days(INVITATION_DAYS)],
    ['Link that sets a new password', ms(RESET_LIFETIME_MS)],
    ['A sign-in ends after', formatSpan(AUTH_SESSION_SECONDS)],
    ['An open page’s stream is authorized again every', ms(AUTHORIZE_MS)],
    ['Tries to sign in, by account', rate(limits.SIGN_IN_PER_ACCOUNT)],
    ['Tries to sign in, by address', rate(limits.SIGN_IN_PER_ADDRESS)],
    ['Accounts made, by address', rate(limits.SIGN_UP_PER_ADDRESS)],
    ['Reset links, by account', rate(limits.RESETS_PER_ACCOUNT)],
    ['Invitations, by organization', rate(limits.INVITATIONS_PER_ORGANIZATION)],
    ['Checks tried, by organization', rate(limits.CHECK_TESTS_PER_ORGANIZATION)],
  ],
  API: [
    ['Requests, by token', rate(limits.API_PER_TOKEN)],
    ['Life of a token, unless said otherwise', days(token.expiresInDays ?? 0)],
    ['An Idempotency-Key is remembered for', ms(KEPT_MS)],
    ['Largest body', `${formatCount(DEFAULT_MAX_BODY_BYTES)} bytes`],
  ],
  'Health of the installation': [['`/readyz` misses a worker after', ms(WORKER_GONE_MS)]],
};
