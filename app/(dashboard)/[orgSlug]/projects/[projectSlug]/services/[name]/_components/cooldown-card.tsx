import { ModifierChip } from '@/app/_components/status/status-badge';
import { Card } from '@/app/_components/ui/card';
import type { ServicePage } from '@/lib/insight/dashboard/get-service-page';
import { formatSpan } from '@/lib/platform/format/duration';

interface CooldownCardProps {
  cooldowns: ServicePage['cooldowns'];
  clock: (at: Date) => string;
}

/** How often what was done lately, and how much of it is left. */
export function CooldownCard({ cooldowns, clock }: CooldownCardProps) {
  return (
    <Card title="Cooldowns" className="self-start">
      {cooldowns.length === 0 ? (
        <p className="text-text-2">No cooldown is set: restarts are not counted.</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {cooldowns.map((rule) => (
            <li
              key={`${rule.action} ${rule.windowSeconds}`}
              className="flex flex-col items-start gap-1"
            >
              <p className="text-ui tabular-nums">
                <span className="font-medium">{Math.max(0, rule.limit - rule.used)} left</span> of{' '}
                {rule.limit} {rule.limit === 1 ? rule.action : PLURALS[rule.action]} in{' '}
                {formatSpan(rule.windowSeconds)}
              </p>
              {rule.used >= rule.limit ? (
                <ModifierChip
                  modifier="cooldown"
                  detail={rule.nextAllowedAt ? `until ${clock(rule.nextAllowedAt)}` : 'always'}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const PLURALS = { restart: 'restarts', redeploy: 'redeployments' };
