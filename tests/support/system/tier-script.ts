/** Answers of the scripted model, by the tier that asks; the default models tell them apart. */
import type { TierReport } from '@/lib/protocol/report';
import type { Tier } from '@/lib/protocol/spec';
import type { RecordedRequest } from '../messages-api/recorded-request';
import { failWith, type Reply } from '../messages-api/reply';

const MODELS: [RegExp, Tier][] = [
  [/haiku/, 1],
  [/sonnet/, 2],
  [/opus/, 3],
];

export function tierOf({ model }: RecordedRequest): Tier {
  const found = MODELS.find(([name]) => name.test(model));
  if (!found) throw new Error(`No tier has the model ${model}.`);
  return found[1];
}

export type TierScript = Partial<Record<Tier, Reply[]>>;

/** Each list is used up in order. */
export function byTier(script: TierScript): (request: RecordedRequest) => Reply {
  const left = new Map(Object.entries(script).map(([tier, replies]) => [tier, [...replies]]));
  return (request) => {
    const tier = tierOf(request);
    return left.get(String(tier))?.shift() ?? failWith(400, `tier ${tier} has no further answer`);
  };
}

export function report(changes: Partial<TierReport> = {}): TierReport {
  return {
    summary: 'All services answer.',
    services_checked: [],
    findings: [],
    escalation: { wanted: false, reason: '', services: [] },
    actions_taken: [],
    ...changes,
  };
}

export const askingForHelp = (changes: Partial<TierReport> = {}): TierReport =>
  report({
    summary: 'web is down.',
    escalation: { wanted: true, reason: 'web refuses connections', services: ['web'] },
    ...changes,
  });
