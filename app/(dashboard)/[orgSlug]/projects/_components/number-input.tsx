'use client';

import { type ComponentProps, useState } from 'react';
import { cn } from '@/app/_components/ui/cn';
import { Input } from '@/app/_components/ui/input';
import { formatSpan, parseSpan } from '@/lib/platform/format/duration';

interface NumberInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  /** Null where nothing is set. */
  value: number | null;
  /** NaN for text that is no number, so that the form refuses it; null for no text. */
  onChange: (value: number | null) => void;
  /** Stands before the number: "$". */
  prefix?: string;
}

/** Keeps what is typed, as typed, and tells the number behind it. */
export function NumberInput({ value, onChange, prefix, className, ...rest }: NumberInputProps) {
  const [typed, setTyped] = useState(textOf(value));
  // Follows a change from outside (discarded, restored), never the own echo.
  const shown = sameNumber(numberOf(typed), value) ? typed : textOf(value);
  return (
    <span className={cn('relative block w-28', className)}>
      {prefix ? (
        <span aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-text-3">
          {prefix}
        </span>
      ) : null}
      <Input
        {...rest}
        inputMode="decimal"
        autoComplete="off"
        value={shown}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(numberOf(event.target.value));
        }}
        className={cn('tabular-nums', prefix && 'pl-6')}
      />
    </span>
  );
}

function textOf(value: number | null): string {
  return value === null || Number.isNaN(value) ? '' : String(value);
}

function numberOf(text: string): number | null {
  const compact = text.replaceAll(',', '').trim();
  return compact === '' ? null : Number(compact);
}

function sameNumber(one: number | null, other: number | null): boolean {
  return Object.is(one, other);
}

interface SpanInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  /** Seconds. */
  value: number;
  /** NaN for text that is no span of time, so that the form refuses it. */
  onChange: (seconds: number) => void;
}

/** A time that is set and not measured, as people write it: `10m`, `1h 30m`. */
export function SpanInput({ value, onChange, className, ...rest }: SpanInputProps) {
  const [typed, setTyped] = useState(spanTextOf(value));
  const shown = Object.is(secondsOf(typed), value) ? typed : spanTextOf(value);
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

function spanTextOf(seconds: number): string {
  return Number.isNaN(seconds) ? '' : formatSpan(seconds);
}

function secondsOf(text: string): number {
  return parseSpan(text) ?? Number.NaN;
}
