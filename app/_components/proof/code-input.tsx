import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';

interface CodeInputProps {
  id: string;
  label?: string;
  hint?: string;
  error?: string | null | undefined;
  /** With a form's own state left out: the field's name is then `code`. */
  value?: string;
  onChange?: (value: string) => void;
  /** Only the six digits of an app, for which phones show the number keys. */
  isAppOnly?: boolean;
}

/** A code of a second factor. Browsers and password managers fill it in. */
export function CodeInput({ id, label = 'Code', hint, error, ...field }: CodeInputProps) {
  const { value, onChange, isAppOnly } = field;
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <Input
        name="code"
        autoComplete="one-time-code"
        inputMode={isAppOnly ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        className="font-mono"
        required
        {...(onChange
          ? { value: value ?? '', onChange: (event) => onChange(event.target.value) }
          : {})}
      />
    </Field>
  );
}
