'use client';

import type { ReactNode } from 'react';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { Field as CheckFieldSpec, Header } from '@/lib/protocol/checks/check-kind';
import {
  type CheckProps,
  changeCheck,
  headersOfText,
  listOfText,
  numbersOfText,
  textOfHeaders,
  textOfList,
} from './check-form';
import { JsonOption } from './json-option';
import { NumberInput } from './number-input';
import { TypedInput, TypedTextarea } from './typed-input';

interface CheckFieldProps extends CheckProps {
  name: string;
  field: CheckFieldSpec;
}

/** The control of one field of a check, by the kind of its value. */
export function CheckField(props: CheckFieldProps) {
  const { path, name, field, errorAt } = props;
  if (field.control === 'json') return <JsonOption {...props} />;
  if (field.control === 'flag') return <FlagField {...props} />;
  return (
    <Field
      id={`${path}.${name}`}
      label={field.label}
      hint={field.hint}
      error={errorAt(`${path}.${name}`)}
      className={widthOf(field)}
    >
      {(control) => controlOf(props, control)}
    </Field>
  );
}

const WIDTHS = {
  s: 'w-24',
  m: 'w-40',
  l: 'w-52',
  fill: 'min-w-52 flex-1 basis-64',
  list: 'min-w-52 flex-1',
  exitCodes: 'w-32',
  headers: 'basis-full',
};

function widthOf({ size, control }: CheckFieldSpec): string | undefined {
  return (WIDTHS as Record<string, string>)[size ?? control];
}

function FlagField(props: CheckFieldProps) {
  const { path, name, field } = props;
  return (
    <CheckboxField
      id={`${path}.${name}`}
      label={field.label}
      hint={field.hint}
      checked={shownValue(props) === true}
      onChange={(event) => changeCheck(props, { [name]: event.target.checked || undefined })}
      className="basis-full"
    />
  );
}

type Control = Parameters<Parameters<typeof Field>[0]['children']>[0];

function controlOf(props: CheckFieldProps, control: Control): ReactNode {
  const { name, field } = props;
  const { placeholder } = field;
  const value = shownValue(props);
  const change = (next: unknown) => changeCheck(props, { [name]: next });
  switch (field.control) {
    case 'number':
      return (
        <NumberInput
          {...control}
          placeholder={placeholder}
          value={(value as number | undefined) ?? null}
          onChange={(next) => change(next ?? undefined)}
          className="w-24"
        />
      );
    case 'choice':
      return (
        <Select
          {...control}
          value={(value as string | undefined) ?? ''}
          onChange={(event) => change(event.target.value)}
        >
          <option value="">{field.otherwise}</option>
          {field.choices
            .filter((choice) => choice !== field.otherwise)
            .map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
        </Select>
      );
    case 'list':
    case 'exitCodes':
      return (
        <TypedInput
          {...control}
          placeholder={placeholder}
          value={value as (string | number)[] | undefined}
          format={textOfList}
          parse={field.control === 'list' ? listOfText : numbersOfText}
          onChange={change}
        />
      );
    case 'headers':
      return (
        <TypedTextarea
          {...control}
          rows={2}
          placeholder={placeholder}
          value={value as Header[] | undefined}
          format={textOfHeaders}
          parse={headersOfText}
          onChange={change}
        />
      );
    default:
      return (
        <Input
          {...control}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={(value as string | undefined) ?? ''}
          onChange={(event) => change(event.target.value)}
        />
      );
  }
}

function shownValue({ check, name }: CheckFieldProps): unknown {
  return (check as Readonly<Record<string, unknown>>)[name];
}
