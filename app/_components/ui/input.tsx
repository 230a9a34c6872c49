'use client';

import { ChevronDown } from 'lucide-react';
import { type ComponentProps, createContext, use, useId } from 'react';
import { cn } from './cn';
import { useEarlyInput } from './use-early-input';

/** What ties a control to the label, hint and error of the field around it. */
export const ControlContext = createContext<{
  id?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
}>({});

/** The look that every text control shares. An error is also said in words beside the field. */
const controlStyle =
  'w-full min-w-0 rounded-control border border-control bg-surface text-body text-text placeholder:text-text-3 hover:border-text-3 disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-text-3 aria-invalid:border-bad-mark aria-invalid:ring-1 aria-invalid:ring-bad-mark';

export function Input({ className, ref, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      {...use(ControlContext)}
      className={cn(controlStyle, 'h-control px-2.5 read-only:bg-sunken', className)}
      {...rest}
      ref={useEarlyInput(ref)}
    />
  );
}

export function Textarea({ className, ref, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...use(ControlContext)}
      rows={rows}
      className={cn(controlStyle, 'block resize-y px-2.5 py-1.5 read-only:bg-sunken', className)}
      {...rest}
      ref={useEarlyInput(ref)}
    />
  );
}

/** A native select: it works with every keyboard, phone and password manager. */
export function Select({ className, ref, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cn('relative inline-flex w-full', className)}>
      <select
        {...use(ControlContext)}
        className={cn(controlStyle, 'h-control appearance-none pr-8 pl-2.5')}
        {...rest}
        ref={useEarlyInput(ref, rest.value ?? rest.defaultValue)}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-text-3"
      />
    </span>
  );
}

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

/** A native radio button. Give it a label around it. */
export function Radio({ ref, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return <input type="radio" {...rest} ref={useEarlyInput(ref)} />;
}
