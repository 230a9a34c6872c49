'use client';

import { CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { ControlContext, Input } from './input';

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
