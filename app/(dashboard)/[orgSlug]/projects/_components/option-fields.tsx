'use client';

import type { ReactNode } from 'react';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { CheckSpec } from '@/lib/protocol/spec';
import { listOfText, textOfList, withoutEmpty } from './check-form';
import { NumberInput } from './number-input';
import { TypedInput } from './typed-input';

export interface OptionProps {
  /** The path of the check: `services.0.checks.1`. */
  path: string;
  check: CheckSpec;
  onChange: (check: CheckSpec) => void;
  errorAt: (path: string) => string | undefined;
}

type Key = keyof CheckSpec;

/** Reports a check with some of its options changed; one that is empty is left out. */
export function changeCheck({ check, onChange }: OptionProps, changes: Partial<CheckSpec>): void {
  onChange(withoutEmpty({ ...check, ...changes }));
}

interface NamedOptionProps<Name extends Key> extends OptionProps {
  name: Name;
  label: string;
  placeholder?: string;
  className?: string;
}

type Control = Parameters<Parameters<typeof Field>[0]['children']>[0];

/** The field of an option, around a control of any kind. */
export function Option(
  props: NamedOptionProps<Key> & { hint?: string; children: (control: Control) => ReactNode },
) {
  const { path, name, label, hint, className, errorAt, children } = props;
  return (
    <Field
      id={`${path}.${name}`}
      label={label}
      hint={hint}
      error={errorAt(`${path}.${name}`)}
      className={className}
    >
      {children}
    </Field>
  );
}

type KeyOf<Value> = {
  [Name in Key]-?: NonNullable<CheckSpec[Name]> extends Value ? Name : never;
}[Key];

export function NumberOption(props: NamedOptionProps<KeyOf<number>>) {
  const { check, name, placeholder } = props;
  return (
    <Option {...props}>
      {(control) => (
        <NumberInput
          {...control}
          placeholder={placeholder}
          value={check[name] ?? null}
          onChange={(value) => changeCheck(props, { [name]: value ?? undefined })}
          className="w-24"
        />
      )}
    </Option>
  );
}

export function TextOption(props: NamedOptionProps<'expectText' | 'serverName' | 'resolver'>) {
  const { check, name, placeholder } = props;
  return (
    <Option {...props}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          placeholder={placeholder}
          value={check[name] ?? ''}
          onChange={(event) => changeCheck(props, { [name]: event.target.value })}
        />
      )}
    </Option>
  );
}

interface ChoiceOptionProps extends NamedOptionProps<'recordType' | 'method' | 'family'> {
  choices: readonly string[];
  /** What holds where nothing is chosen. */
  otherwise: string;
}

export function ChoiceOption(props: ChoiceOptionProps) {
  const { check, name, choices, otherwise } = props;
  return (
    <Option {...props}>
      {(control) => (
        <Select
          {...control}
          value={check[name] ?? ''}
          onChange={(event) => changeCheck(props, { [name]: event.target.value })}
        >
          <option value="">{otherwise}</option>
          {choices
            .filter((choice) => choice !== otherwise)
            .map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
        </Select>
      )}
    </Option>
  );
}

export function ListOption(props: NamedOptionProps<'redirectHosts' | 'expectValues'>) {
  const { check, name, placeholder } = props;
  return (
    <Option {...props} className="min-w-52 flex-1">
      {(control) => (
        <TypedInput
          {...control}
          placeholder={placeholder}
          value={check[name]}
          format={textOfList}
          parse={listOfText}
          onChange={(values) => changeCheck(props, { [name]: values })}
        />
      )}
    </Option>
  );
}
