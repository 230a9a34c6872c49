'use client';

import { CircleCheck, ShieldX } from 'lucide-react';
import { matchCooldownAction } from '@/lib/engine/cooldowns/rules';
import { type Trial, tryCommand } from '@/lib/projects/rules/try-command';
import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import { namedServices } from '@/lib/projects/service-names';
import { countedCommand } from './cooldown-limits';

const VERDICTS: Record<Trial['verdict'], string> = {
  allowed: 'Allowed',
  denied: 'Denied',
  refused: 'Refused',
};

interface UnconfinedVerdictProps {
  policy: TierPolicy;
  command: string;
  /** The draft, saved or not. */
  config: ProjectConfig;
}

/** The line as a whole, as the agent's own matcher decides. */
export function UnconfinedVerdict({ policy, command, config }: UnconfinedVerdictProps) {
  const { services, cooldowns } = config;
  const trial = tryCommand(policy, command, services);
  const isAllowed = trial.verdict === 'allowed';
  const pairs = isAllowed ? matchCooldownAction(command, namedServices(services)) : [];
  const Icon = isAllowed ? CircleCheck : ShieldX;
  return (
    <div className="flex items-start gap-1.5">
      <Icon
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 ${isAllowed ? 'text-ok-mark' : 'text-wait-mark'}`}
      />
      <div className="flex min-w-0 flex-col gap-1 break-words">
        <p>
          <strong className={isAllowed ? 'text-ok-fg' : 'text-wait-fg'}>
            {VERDICTS[trial.verdict]}.
          </strong>{' '}
          {trial.why}
        </p>
        {trial.notes.map((note) => (
          <p key={note} className="text-wait-fg">
            {note}
          </p>
        ))}
        {countedCommand(pairs, cooldowns).sentences.map((sentence) => (
          <p key={sentence} className="text-text-2">
            {sentence}
          </p>
        ))}
      </div>
    </div>
  );
}
