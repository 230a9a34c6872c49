'use client';

import { Field, Input, Textarea } from '@/app/_components/ui/field';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import {
  type Entered,
  type FormField,
  meets,
  type TargetForm,
  valuesOf,
} from '@/lib/deliveries/channels/form';
import type { ChannelErrors } from './draft';

interface TargetFieldsProps {
  form: TargetForm;
  entered: Entered;
  errors: ChannelErrors;
  onChange: (entered: Entered) => void;
}

/** Where the messages go: the fields of the channel's kind. */
export function TargetFields({ form, entered, errors, onChange }: TargetFieldsProps) {
  const values = valuesOf(form, entered);
  return form.fields
    .filter((field) => meets(values, field.when))
    .map((field) => {
      if (field.type === 'note') {
        return (
          <p key={field.text} className="text-text-2 text-ui">
            {field.text}
          </p>
        );
      }
      const { name } = field;
      const shared = {
        value: values[name] ?? '',
        error: errors[`settings-${name}`],
        onChange: (value: string) => onChange({ ...entered, [name]: value }),
      };
      return <TargetField key={name} field={field} {...shared} />;
    });
}

interface TargetFieldProps {
  field: Exclude<FormField, { type: 'note' }>;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** One setting. Secrets are plain text while they are entered, so they can be compared. */
function TargetField({ field, value, error, onChange }: TargetFieldProps) {
  if (field.type === 'choice') {
    const { label, name, choices } = field;
    return (
      <SegmentedChoice
        label={label}
        name={`channel-${name}`}
        value={value}
        onChange={onChange}
        choices={choices}
      />
    );
  }
  const { type, name, label, hint, placeholder, isOptional } = field;
  const shared = { autoComplete: 'off', spellCheck: false, placeholder, value };
  return (
    <Field
      id={`channel-settings-${name}`}
      label={label}
      hint={hint}
      error={error ?? null}
      {...(isOptional ? { isOptional } : {})}
    >
      {type === 'text' ? (
        <Input {...shared} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <Textarea {...shared} rows={2} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
