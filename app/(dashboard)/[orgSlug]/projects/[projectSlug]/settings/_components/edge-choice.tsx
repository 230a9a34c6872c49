'use client';

import { SegmentedChoice } from '@/app/_components/ui/segmented';

type Mode = 'resume' | 'handoff';

interface EdgeChoiceProps {
  name: string;
  label: string;
  value: Mode;
  onChange: (mode: Mode) => void;
  /** What each choice does; without it that of a step from one tier to the next. */
  meaning?: Record<Mode, string>;
}

const CHOICES = [
  { value: 'resume', label: 'Resume' },
  { value: 'handoff', label: 'Handoff' },
] as const satisfies { value: Mode; label: string }[];

const MEANING: Record<Mode, string> = {
  resume:
    'The next tier continues the conversation, and falls back to the handoff where that is wrong.',
  handoff:
    'The next tier always starts anew, from a validated handoff file that the tier before writes.',
};

/** How one tier continues the one before it. */
export function EdgeChoice({ name, label, value, onChange, meaning = MEANING }: EdgeChoiceProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="w-32 font-medium text-ui">{label}</span>
      <SegmentedChoice
        label={label}
        name={name}
        choices={CHOICES}
        value={value}
        onChange={onChange}
        className="self-center"
      />
      <p className="min-w-56 flex-1 text-text-2 text-ui">{meaning[value]}</p>
    </div>
  );
}
