'use client';

import { SegmentedChoice } from '@/app/_components/ui/segmented';

interface ChoiceRowProps<Value extends string> {
  name: string;
  label: string;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  /** What the chosen value does. */
  meaning: string;
}

/** One of a few values, with a sentence about the chosen one beside it. */
export function ChoiceRow<Value extends string>(props: ChoiceRowProps<Value>) {
  const { name, label, choices, value, onChange, meaning } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="w-32 font-medium text-ui">{label}</span>
      <SegmentedChoice
        label={label}
        name={name}
        choices={choices}
        value={value}
        onChange={onChange}
        className="self-center"
      />
      <p className="min-w-56 flex-1 text-text-2 text-ui">{meaning}</p>
    </div>
  );
}
