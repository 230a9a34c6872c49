import { ROTATION_OVERLAP_HOURS } from '@/lib/deliveries/endpoints/signing';
import { DELIVERY_RETENTION_DAYS } from '@/lib/deliveries/manage-deliveries';
import * as retries from '@/lib/deliveries/outbox/retry-policy';
import { RECOVERY_WINDOW_HOURS } from '@/lib/engine/checkpoints/recovery';
import { HOST_WAIT_SECONDS } from '@/lib/engine/continuation/decide';
import { MAX_WAIT_SECONDS } from '@/lib/engine/continuation/retry';
import { LOG_RETENTION_DAYS } from '@/lib/engine/retention';
import { QUIET_SECONDS } from '@/lib/engine/sweep/sweep';
import { HOST_SILENT_SECONDS } from '@/lib/engine/sweep/wait-sentence';
import { ENROLMENT_MS, STOP_MS } from '@/lib/fleet/manage-runners';
import { MAX_SKEW_MS } from '@/lib/fleet/problems';
import { OFFLINE_AFTER_SECONDS, STALE_DAYS } from '@/lib/fleet/status';
import { createApiTokenSchema } from '@/lib/identity/api-tokens/schema';
import { AUTH_SESSION_SECONDS } from '@/lib/identity/auth/auth-sessions';
import { KNOWN_DEVICE_SECONDS } from '@/lib/identity/auth/known-devices';
import { RESET_LIFETIME_MS } from '@/lib/identity/auth/password-resets';
import { SECOND_STEP_SECONDS } from '@/lib/identity/auth/second-step';
import { INVITATION_DAYS } from '@/lib/identity/invitations/schema';
import { PROOF_MINUTES } from '@/lib/identity/tenancy/recent-proof';
import { formatCount } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';
import { PRESENCE_GAP_SECONDS, WORKER_GONE_MS } from '@/lib/platform/health';
import { KEPT_MS } from '@/lib/platform/http/idempotency';
import { DEFAULT_MAX_BODY_BYTES } from '@/lib/platform/http/read-body';
import { AUTHORIZE_MS } from '@/lib/platform/live/event-stream';
import * as limits from '@/lib/platform/rate-limits';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { HEARTBEAT_SECONDS, HOLD_SECONDS, LEASE_SECONDS } from '@/lib/protocol/schema';
import { INTERRUPT_MS } from '@/workers/runner/attempt/agent-process';
import { CLAIM_MS } from '@/workers/runner/claim-loop';
import { DELIVER_AT_END_MS } from '@/workers/runner/runner';

type LimitRow = readonly [what: string, value: string];

const ms = (value: number) => formatSpan(value / 1_000);
const days = (value: number) => `${value}d`;
const rate = ({ points, perSeconds }: limits.Limit) => `${points} per ${formatSpan(perSeconds)}`;
const usd = (value: number | null) => (value === null ? 'none' : `$${value}`);

const { budgets, checkpoints, cooldowns, contextThreshold, schedule, tiers } = DEFAULT_CONFIG;
const token = createApiTokenSchema.parse({ name: 'x', scopes: ['all'] });

/** The defaults of a new project, per tier. */
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
    'Budgets per chain, UTC day and UTC month',
    [budgets.chainUsd, budgets.dayUsd, budgets.monthUsd].map(usd).join(', '),
  ],
  ['Context threshold, above which a tier starts from the handoff', `${contextThreshold * 100} %`],
  ...cooldowns.map(
    ({ action, limit, windowSeconds }): LimitRow => [
      `Cooldown: ${action} per service`,
      `${limit} in ${formatSpan(windowSeconds)}`,
    ],
  ),
  [
    'Checkpoint interval',
    `${checkpoints.promptInterval} prompts and tool results, or ${ms(checkpoints.timeIntervalMs)}`,
  ],
  [
    'Checkpoints per session, and their retention',
    `${checkpoints.maxCheckpointsPerSession}, ${days(checkpoints.retentionDays)}`,
  ],
  ['Characters of a checkpoint read at start', formatCount(checkpoints.recoveryBudgetChars)],
];

export const FIXED_LIMITS: Record<string, readonly LimitRow[]> = {
  Runners: [
    ['Enrollment token', `${ms(ENROLMENT_MS)}, one host`],
    ['Open request for work or directives', `${formatSpan(HOLD_SECONDS)}, then repeated`],
    ['Heartbeat', `every ${formatSpan(HEARTBEAT_SECONDS)}`],
    [
      'Shown as offline, and notified',
      `${formatSpan(OFFLINE_AFTER_SECONDS)} after the last heartbeat`,
    ],
    ['Shown as stale, and no longer notified', days(STALE_DAYS)],
    ['Clock difference that causes a warning', ms(MAX_SKEW_MS)],
    ['Lease of an attempt, renewed by each heartbeat', formatSpan(LEASE_SECONDS)],
    ['Lease after a revoke', ms(STOP_MS)],
    ['Stop: from SIGINT to SIGKILL', ms(INTERRUPT_MS)],
    ['Claim timeout', ms(CLAIM_MS)],
    ['An unclaimed attempt is enqueued again after', formatSpan(QUIET_SECONDS)],
    ['Wait for the host that holds a conversation', `at most ${formatSpan(HOST_WAIT_SECONDS)}`],
    ['…unless the host hasn’t responded for', formatSpan(HOST_SILENT_SECONDS)],
    ['Delivery of unsent events when a runner stops', ms(DELIVER_AT_END_MS)],
  ],
  Chains: [
    ['Longest wait for a provider', formatSpan(MAX_WAIT_SECONDS)],
    ['Retention of a session’s log, until the organization sets another', days(LOG_RETENTION_DAYS)],
    ['A chain recovers from an earlier chain within', `${RECOVERY_WINDOW_HOURS}h`],
  ],
  'Webhooks and notifications': [
    ['Response timeout', ms(retries.ATTEMPT_TIMEOUT_MS)],
    ['Retry schedule', retries.ATTEMPT_DELAYS_SECONDS.map(formatSpan).join(', ')],
    ['Disabled after failing for', days(retries.DISABLE_AFTER_FAILING_DAYS)],
    ['Retention of a finished delivery', days(DELIVERY_RETENTION_DAYS)],
    ['Both secrets sign after a rotation for', `${ROTATION_OVERLAP_HOURS}h`],
  ],
  'People and sign-in': [
    ['Invitation', days(INVITATION_DAYS)],
    ['Password reset link', ms(RESET_LIFETIME_MS)],
    ['A sign-in expires after', formatSpan(AUTH_SESSION_SECONDS)],
    ['A live stream is authorized again after a change of access, and every', ms(AUTHORIZE_MS)],
    ['Failed sign-ins per known device', rate(limits.SIGN_IN_PER_DEVICE)],
    ['Failed sign-ins per account and network', rate(limits.SIGN_IN_PER_ACCOUNT)],
    ['Failed sign-ins per network', rate(limits.SIGN_IN_PER_NETWORK)],
    ['An account is under attack after failed sign-ins', rate(limits.SIGN_IN_ATTACK)],
    ['Then failed sign-ins per account and network', rate(limits.SIGN_IN_UNDER_ATTACK)],
    ['The second step of a sign-in expires after', formatSpan(SECOND_STEP_SECONDS)],
    ['Codes per known device', rate(limits.CODES_PER_DEVICE)],
    ['Codes per person and network', rate(limits.CODES_PER_NETWORK)],
    ['Codes per person on unknown devices', rate(limits.CODES_PER_PERSON)],
    ['A confirmation counts for', formatSpan(PROOF_MINUTES * 60)],
    ['Confirmations per sign-in', rate(limits.CONFIRMATIONS_PER_SIGN_IN)],
    ['Sign-ins with a passkey alone per network', rate(limits.PASSKEY_SIGN_INS_PER_NETWORK)],
    ['A device stays known for', formatSpan(KNOWN_DEVICE_SECONDS)],
    ['New accounts per network', rate(limits.SIGN_UP_PER_NETWORK)],
    ['Reset links per account', rate(limits.RESETS_PER_ACCOUNT)],
    ['Invitations per organization', rate(limits.INVITATIONS_PER_ORGANIZATION)],
    ['Test checks per organization', rate(limits.CHECK_TESTS_PER_ORGANIZATION)],
  ],
  API: [
    ['Requests per token', rate(limits.API_PER_TOKEN)],
    ['Default lifetime of a token', days(token.expiresInDays ?? 0)],
    ['An Idempotency-Key is valid for', ms(KEPT_MS)],
    ['Largest body', `${formatCount(DEFAULT_MAX_BODY_BYTES)} bytes`],
  ],
  'Health of the installation': [
    ['`/readyz` reports a missing worker after', ms(WORKER_GONE_MS)],
    ['`/readyz` reports a missing lease clock after', formatSpan(PRESENCE_GAP_SECONDS)],
  ],
};
