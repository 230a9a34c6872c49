'use client';

import { Box, CircleCheck, ShieldX } from 'lucide-react';
import { actionsOfArgv } from '@/lib/engine/cooldowns/rules';
import { type BrokeredTrial, tryBrokered } from '@/lib/projects/rules/try-brokered';
import type { TierPolicy } from '@/lib/projects/schema';
import { namedServices } from '@/lib/projects/service-names';
import type { ServiceSpec } from '@/lib/protocol/spec';

const BROKERED = {
  allowed: { word: 'Allowed', Icon: CircleCheck, mark: 'text-ok-mark', text: 'text-ok-fg' },
  refused: { word: 'Refused', Icon: ShieldX, mark: 'text-wait-mark', text: 'text-wait-fg' },
  inside: { word: 'In the sandbox', Icon: Box, mark: 'text-text-3', text: 'text-text' },
} as const;

/** Each program of a line is decided alone. */
export function BrokeredVerdicts({
  policy,
  command,
  services,
}: {
  policy: TierPolicy;
  command: string;
  services: readonly ServiceSpec[];
}) {
  const trials = tryBrokered(policy, command, services);
  if (trials.length === 0) return <p>It starts no program.</p>;
  return (
    <ul className="flex flex-col gap-2">
      {trials.map((trial, at) => {
        const { word, Icon, mark, text } = BROKERED[trial.verdict];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same program may be started twice
          <li key={at} className="flex items-start gap-1.5">
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${mark}`} />
            <span className="min-w-0 break-words">
              <code className="text-code">{trial.argv.join(' ')}</code>
              <br />
              <strong className={text}>{word}.</strong> {trial.why}
              {trial.changes ? ` It may change something.${countedAs(trial, services)}` : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function countedAs({ argv }: BrokeredTrial, services: readonly ServiceSpec[]): string {
  const actions = actionsOfArgv(argv, namedServices(services));
  if (actions.length === 0) return '';
  const named = actions.map(({ action, service }) => `${action} of ${service}`).join(', ');
  return ` For cooldowns it counts as ${named}.`;
}
