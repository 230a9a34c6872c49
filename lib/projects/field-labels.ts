import type { Fields } from '@/lib/protocol/checks/check-kind';
import { CHECK_KINDS, type CheckField } from '@/lib/protocol/checks/kinds';
import { shownTarget } from '@/lib/protocol/checks/target';
import type { SettingName } from './setting-texts';

/** Apart from `setting-texts.ts`, since pages load them. Those of checks are in their kinds. */
const WORDS: Record<Exclude<SettingName, CheckField> | 'name' | 'slug', string> = {
  name: 'name',
  slug: 'short name',
  harness: 'agent',
  services: 'services',
  tier: 'tier',
  tiers: 'tiers',
  checks: 'checks',
  type: 'type',
  target: 'target',
  monitoring: 'monitoring',
  failures: 'failing results',
  lastResults: 'results that count',
  path: 'path',
  exists: 'exists',
  equals: 'equals',
  oneOf: 'one of',
  atLeast: 'at least',
  atMost: 'at most',
  value: 'value',
  schedule: 'schedule',
  startOn: 'start a chain on',
  checkChange: 'a change of checks',
  alert: 'an alert',
  incidents: 'incidents',
  verifySeconds: 'verification (s)',
  reopenSeconds: 'reopened within (s)',
  groupSeconds: 'grouped within (s)',
  kind: 'kind',
  everySeconds: 'interval (s)',
  expression: 'cron line',
  timeZone: 'time zone',
  isEnabled: 'enabled',
  model: 'model',
  tools: 'tools',
  allowedTools: 'allowed rules',
  disallowedTools: 'denied rules',
  askFirstTools: 'ask-first rules',
  requiresApproval: 'each start needs approval',
  isolation: 'isolation',
  prompt: 'prompt',
  timeoutSeconds: 'time limit (s)',
  stallSeconds: 'stall timeout (s)',
  maxTurns: 'turns',
  maxBudgetUsd: 'budget ($)',
  contextWindow: 'context window',
  maxTier: 'maximum tier',
  dryRun: 'dry run',
  contextThreshold: 'context threshold',
  maxRereadTokens: 're-read limit (tokens)',
  continuation: 'continuation',
  tier1To2: 'tier 1 to 2',
  tier2To3: 'tier 2 to 3',
  unprovenModels: 'unproven models',
  taintedConversation: 'tainted conversations',
  cooldowns: 'cooldowns',
  action: 'action',
  limit: 'limit',
  windowSeconds: 'window (s)',
  budgets: 'budgets',
  chainUsd: 'chain ($)',
  dayUsd: 'day ($)',
  monthUsd: 'month ($)',
  maintenance: 'maintenance windows',
  effect: 'effect',
  when: 'when',
  startsAt: 'from',
  endsAt: 'to',
  durationSeconds: 'length (s)',
  approvals: 'approvals',
  operatorsUpToTier: 'operators decide up to tier',
  people: 'people who must approve',
  holdSeconds: 'command hold time (s)',
  expiresSeconds: 'requests expire after (s)',
  onRefusal: 'after a refused command',
  checkpoints: 'checkpoints',
  enabled: 'enabled',
  promptInterval: 'prompts and results between checkpoints',
  timeIntervalMs: 'time between checkpoints (ms)',
  maxCheckpointsPerSession: 'maximum per session',
  retentionDays: 'kept for (days)',
  recoveryBudgetChars: 'recovered text (characters)',
  askAgents: 'agents for conversations',
  instructions: 'instructions',
  runnerPool: 'runner pool',
  secrets: 'secrets',
  rules: 'given to commands of',
};

/** Returns the label of a configuration path: `tiers.1.maxTurns` is `Tier 2 · turns`. */
export function fieldLabel(path: string): string {
  const parts = path.split('.');
  const words = parts.flatMap((part, index) => {
    const before = parts[index - 1];
    if (part === 'tiers' && parts.length > 1) return [];
    if (/^\d+$/.test(part))
      return [before === 'tiers' ? `tier ${Number(part) + 1}` : `${Number(part) + 1}`];
    return [(WORDS as Record<string, string>)[part] ?? checkFieldName(part) ?? part];
  });
  const text = words.join(' · ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function checkFieldName(name: string): string | undefined {
  const all: Fields[] = Object.values(CHECK_KINDS).map(({ fields }) => fields);
  const field = all.find((fields) => Object.hasOwn(fields, name))?.[name];
  return field && (field.name ?? field.label.slice(0, 1).toLowerCase() + field.label.slice(1));
}

/** Returns a configuration value as one short line. */
export function fieldValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return value === '' ? 'empty' : shownTarget(value);
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
