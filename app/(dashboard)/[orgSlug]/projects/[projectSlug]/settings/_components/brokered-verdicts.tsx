'use client';

import { Box, CircleCheck, Hourglass, ShieldX } from 'lucide-react';
import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import { type CommandForecast, forecastCommands } from './command-forecast';

const VERDICTS = {
  allowed: { word: 'Allowed', Icon: CircleCheck, mark: 'text-ok-mark', text: 'text-ok-fg' },
  waits: { word: 'Asks first', Icon: Hourglass, mark: 'text-wait-mark', text: 'text-wait-fg' },
  refused: { word: 'Refused', Icon: ShieldX, mark: 'text-wait-mark', text: 'text-wait-fg' },
  inside: { word: 'In the sandbox', Icon: Box, mark: 'text-text-3', text: 'text-text' },
} as const;

interface BrokeredVerdictsProps {
  policy: TierPolicy;
  command: string;
  /** The draft, saved or not. */
  config: ProjectConfig;
}

/** Each program of a line is decided alone. */
export function BrokeredVerdicts({ policy, command, config }: BrokeredVerdictsProps) {
  const forecasts = forecastCommands(config, policy, command);
  if (forecasts.length === 0) return <p>It starts no program.</p>;
  return (
    <ul className="flex flex-col gap-3">
      {forecasts.map((forecast, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same program may be started twice
        <li key={at}>
          <BrokeredVerdict forecast={forecast} />
        </li>
      ))}
    </ul>
  );
}

function BrokeredVerdict({ forecast }: { forecast: CommandForecast }) {
  const { argv, verdict, why, approval, cooldowns } = forecast;
  const mayChange = forecast.changes && verdict !== 'refused';
  const { word, Icon, mark, text } = VERDICTS[verdict];
  return (
    <div className="flex items-start gap-1.5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${mark}`} />
      <div className="flex min-w-0 flex-col gap-1 break-words">
        <code className="text-code">{argv.join(' ')}</code>
        <p>
          <strong className={text}>{word}.</strong> {why}
          {mayChange ? ' It may change something.' : null}
        </p>
        {approval ? <p className="text-text-2">{approval}</p> : null}
        {cooldowns.map((sentence) => (
          <p key={sentence} className="text-text-2">
            {sentence}
          </p>
        ))}
      </div>
    </div>
  );
}
