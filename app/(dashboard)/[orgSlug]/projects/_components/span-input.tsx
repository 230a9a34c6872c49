'use client';

import { type ComponentProps, useState } from 'react';
import { cn } from '@/app/_components/ui/cn';
import { Input } from '@/app/_components/ui/input';
import { formatSpan, parseSpan } from '@/lib/platform/format/duration';

interface SpanInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  /** Seconds. */
  value: number;
  /** NaN for text that is no span of time, so that the form refuses it. */
  onChange: (seconds: number) => void;
}

/** A time that is set and not measured, as people write it: `10m`, `1h 30m`. */
export function SpanInput({ value, onChange, className, ...rest }: SpanInputProps) {
  const [typed, setTyped] = useState(textOf(value));
  const shown = Object.is(secondsOf(typed), value) ? typed : textOf(value);
  return (
    <Input
      {...rest}
      autoComplete="off"
      value={shown}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(secondsOf(event.target.value));
      }}
      className={cn('w-28 tabular-nums', className)}
    />
  );
}

function textOf(seconds: number): string {
  return Number.isNaN(seconds) ? '' : formatSpan(seconds);
}

function secondsOf(text: string): number {
  return parseSpan(text) ?? Number.NaN;
}
