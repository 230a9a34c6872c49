import { type ReactNode, useId } from 'react';
import { CheckboxField } from './checkbox';
import { cn } from './cn';
import { FieldError } from './field';

interface Choice<Value> {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
}

interface CheckboxGroupProps<Value> {
  legend: string;
  choices: readonly Choice<Value>[];
  chosen: readonly Value[];
  onChange: (chosen: readonly Value[]) => void;
  error?: string | null | undefined;
  /** Of the choices: one column, or as many as the grid says. */
  className?: string;
}

/** Several of a few: what they are for as the legend, what is wrong below. */
export function CheckboxGroup<Value extends string | number>(props: CheckboxGroupProps<Value>) {
  const { legend, choices, chosen, onChange, error, className } = props;
  const errorId = useId();
  return (
    <fieldset aria-describedby={error ? errorId : undefined} className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-ui">{legend}</legend>
      <div className={cn('grid gap-x-3 gap-y-1.5', className)}>
        {choices.map(({ value, label, hint }) => (
          <CheckboxField
            key={value}
            label={label}
            hint={hint}
            checked={chosen.includes(value)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...chosen, value] : chosen.filter((each) => each !== value),
              )
            }
          />
        ))}
      </div>
      {error ? <FieldError id={errorId} errors={[error]} /> : null}
    </fieldset>
  );
}
