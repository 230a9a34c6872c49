'use client';

import { type ComponentProps, useId } from 'react';
import { Input } from './input';

/** A text field that suggests the time zones by their IANA names. */
export function TimeZoneInput(props: ComponentProps<'input'>) {
  const listId = useId();
  return (
    <>
      <Input {...props} list={listId} autoComplete="off" spellCheck={false} />
      <datalist id={listId}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
