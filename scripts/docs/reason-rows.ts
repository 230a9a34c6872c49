import { RESUME_REASONS, resumeSentence } from '@/lib/engine/continuation/reasons';
import { ESCALATION_REASONS, escalationSentence } from '@/lib/engine/escalation/reasons';

const ESCALATION_EXAMPLE = {
  tier: 1,
  nextTier: 2,
  maxTier: 1,
  project: 'Shop',
  services: ['web'],
  detail: '…',
} as const;

const RESUME_EXAMPLE = {
  tier: 2,
  parentSession: '#18',
  parentTier: 1,
  runner: 'eu-1',
  parentCliSessionId: 'f1647ee4-0000-4000-8000-000000000000',
  usedTokens: 170_000,
  windowTokens: 200_000,
  threshold: 0.8,
  denial: null,
};

/** Anchors of docs/troubleshooting.md, by the code that leads there. */
const HELP: Record<string, string> = {
  MAX_TIER: 'needs-a-human-maximum-tier',
  TIER_DISABLED: 'needs-a-human-maximum-tier',
  COOLDOWN: 'needs-a-human-cooldown',
  BUDGET: 'chains-stop-because-of-a-budget',
  NOT_RESOLVED: 'needs-a-human-unresolved',
  TIER3_UNRESOLVED: 'needs-a-human-unresolved',
  FIX_UNPROVEN: 'a-tier-wasnt-started-or-a-fix-isnt-credited',
  CHECKS_HEALTHY: 'a-tier-wasnt-started-or-a-fix-isnt-credited',
  NO_SERVICE: 'a-tier-wasnt-started-or-a-fix-isnt-credited',
  REPORT_MISSING: 'no-report',
  RESUME_REJECTED: 'resume-rejected',
  CLI_DENYLISTED: 'cli-denied',
  TAMPERED: 'the-stored-conversation-was-changed',
  ROUTE_TO_HOST: 'a-chain-waits',
  UNREACHABLE: 'no-runner-is-online',
  CONTEXT_PRESSURE: 'a-tier-started-from-the-handoff-although-you-expected-a-resume',
  CONTINUE_SPENT: 'an-attempt-stalls-or-times-out',
};

type ReasonRow = readonly [code: string, sentence: string, help: string];

/** Every reason of an escalation decision, with its sentence for example values. */
export const ESCALATION_ROWS: readonly ReasonRow[] = ESCALATION_REASONS.map((code) => [
  `\`${code}\``,
  escalationSentence(code, ESCALATION_EXAMPLE),
  helpOf(code),
]);

/** Every reason of a resume decision, with its sentence for example values. */
export const RESUME_ROWS: readonly ReasonRow[] = RESUME_REASONS.map((code) => [
  `\`${code}\``,
  resumeSentence(code, RESUME_EXAMPLE),
  helpOf(code),
]);

function helpOf(code: string): string {
  return HELP[code] ? `[What to do](troubleshooting.md#${HELP[code]})` : '';
}
