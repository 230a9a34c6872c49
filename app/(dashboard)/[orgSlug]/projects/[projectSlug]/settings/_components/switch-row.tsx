'use client';

import type { ReactNode } from 'react';
import { Switch } from '@/app/_components/ui/switch';

interface SwitchRowProps {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  isOn: boolean;
  isLocked?: boolean;
  onChange: (isOn: boolean) => void;
}

/** A switch with its words at its left, as one line. */
export function SwitchRow({ id, label, hint, isOn, isLocked, onChange }: SwitchRowProps) {
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="flex flex-col gap-0.5">
        <label htmlFor={id} className="font-medium text-ui">
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="max-w-prose text-text-2 text-ui">
            {hint}
          </p>
        ) : null}
      </div>
      <Switch
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={isOn}
        disabled={isLocked}
        onCheckedChange={onChange}
      />
    </div>
  );
}
