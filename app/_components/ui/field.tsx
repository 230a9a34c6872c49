'use client';

import { ChevronDown, CircleX } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react';
import { cn } from './cn';
import { useEarlyInput } from './use-early-input';

/** What ties a control to the label, hint and error of the field around it. */
const ControlContext = createContext<{
  id?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
}>({});

interface FieldProps {
  /** Unique on the page; the control's id. A summary of errors links to `#id`. */
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong, in a sentence. Several are shown one below the other. */
  error?: string | readonly string[] | null;
  isOptional?: boolean;
  className?: string;
  /** With the one control that the label names. */
  children: ReactNode;
}

/** A labelled control with its hint below the label and its error at the control. */
export function Field({ id, label, hint, error, isOptional, className, children }: FieldProps) {
  const errors = typeof error === 'string' ? [error] : (error ?? []);
  const describedBy = [hint ? `${id}-hint` : '', errors.length > 0 ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className={cn('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium text-ui text-text">
        {label}
        {isOptional ? <span className="font-normal text-text-3"> · optional</span> : null}
      </label>
      {hint ? (
        <p id={`${id}-hint`} className="max-w-prose text-text-2 text-ui">
          {hint}
        </p>
      ) : null}
      <ControlContext
        value={{
          id,
          'aria-describedby': describedBy || undefined,
          'aria-invalid': errors.length > 0 || undefined,
        }}
      >
        {children}
      </ControlContext>
      {errors.length > 0 ? <FieldError id={`${id}-error`} errors={errors} /> : null}
    </div>
  );
}

/** Stands at the control it is about. */
export function FieldError({ id, errors }: { id: string; errors: readonly string[] }) {
  return (
    <div id={id} className="flex items-start gap-1.5 text-bad-fg text-ui">
      <CircleX aria-hidden className="mt-px size-4 shrink-0 text-bad-mark" />
      <div>
        {errors.map((error) => (
          <p key={error}>{error}</p>
        ))}
      </div>
    </div>
  );
}

/** What is wrong with a form as a whole, or with a group in it that has no field of its own. */
export function FormProblem({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p role="alert" className="text-bad-fg text-ui">
      {text}
    </p>
  );
}

interface NewPasswordFieldProps {
  /** Also its name in the form. */
  id?: string;
  label?: string;
  error?: string | readonly string[] | null;
}

/** A password that is being chosen, so that password managers offer to make one. */
export function NewPasswordField({
  id = 'password',
  label = 'New password',
  error,
}: NewPasswordFieldProps) {
  return (
    <Field id={id} label={label} hint="At least 10 characters." error={error}>
      <Input name={id} type="password" autoComplete="new-password" required />
    </Field>
  );
}

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
