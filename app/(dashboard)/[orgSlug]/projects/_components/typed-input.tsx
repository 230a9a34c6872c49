'use client';

import { type ComponentProps, useState } from 'react';
import { Input, Textarea } from '@/app/_components/ui/field';

interface TypedValue<Value> {
  value: Value;
  /** Of a value, and back: `parse(format(value))` is equal to the value. */
  format: (value: Value) => string;
  parse: (text: string) => Value;
  onChange: (value: Value) => void;
}

/** A text that stands for another value; keeps what is typed, as typed. */
export function TypedInput<Value>(
  props: TypedValue<Value> & Omit<ComponentProps<'input'>, keyof TypedValue<Value> | 'type'>,
) {
  const { value, format, parse, onChange, ...rest } = props;
  const [shown, type] = useTyped({ value, format, parse, onChange });
  return (
    <Input
      autoComplete="off"
      spellCheck={false}
      {...rest}
      value={shown}
      onChange={(event) => type(event.target.value)}
    />
  );
}

/** The same in several lines. */
export function TypedTextarea<Value>(
  props: TypedValue<Value> & Omit<ComponentProps<'textarea'>, keyof TypedValue<Value>>,
) {
  const { value, format, parse, onChange, ...rest } = props;
  const [shown, type] = useTyped({ value, format, parse, onChange });
  return (
    <Textarea
      spellCheck={false}
      {...rest}
      value={shown}
      onChange={(event) => type(event.target.value)}
    />
  );
}

function useTyped<Value>({ value, format, parse, onChange }: TypedValue<Value>) {
  const [typed, setTyped] = useState(() => format(value));
  // Follows a change from outside (discarded, restored), never the own echo.
  const isEcho = JSON.stringify(parse(typed)) === JSON.stringify(value);
  const type = (text: string) => {
    setTyped(text);
    onChange(parse(text));
  };
  return [isEcho ? typed : format(value), type] as const;
}
