import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';

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
      {(control) => (
        <Input {...control} name={id} type="password" autoComplete="new-password" required />
      )}
    </Field>
  );
}
