'use client';

import { type ComponentProps, useId } from 'react';
import { Input } from '@/app/_components/ui/input';

/** Any IANA name, with those that the browser knows as suggestions. */
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
