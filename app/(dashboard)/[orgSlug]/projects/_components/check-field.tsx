'use client';

import { type ComponentProps, type ReactNode, useState } from 'react';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Field } from '@/app/_components/ui/field';
import { Input, Select, Textarea } from '@/app/_components/ui/input';
import type { Field as CheckFieldSpec, Header } from '@/lib/protocol/checks/check-kind';
import {
  type CheckProps,
  changeCheck,
  conditionOf,
  expectJsonOf,
  hasOperand,
  headersOfText,
  JSON_CONDITIONS,
  type JsonCondition,
  listOfText,
  numbersOfText,
  operandText,
  textOfHeaders,
  textOfList,
} from './check-form';
import { NumberInput } from './number-input';

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
      {controlOf(props)}
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

function controlOf(props: CheckFieldProps): ReactNode {
  const { name, field } = props;
  const { placeholder } = field;
  const value = shownValue(props);
  const change = (next: unknown) => changeCheck(props, { [name]: next });
  switch (field.control) {
    case 'number':
      return (
        <NumberInput
          placeholder={placeholder}
          value={(value as number | undefined) ?? null}
          onChange={(next) => change(next ?? undefined)}
          className="w-24"
        />
      );
    case 'choice':
      return (
        <Select
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

/** What a value of the response must be: where it is, how it is judged, and by what. */
function JsonOption(props: CheckProps) {
  const { check, path, errorAt } = props;
  const expected = check.expectJson;
  const [chosen, setChosen] = useState<JsonCondition>('equals');
  const condition = expected ? conditionOf(expected) : chosen;
  const change = (where: string, how: JsonCondition, text: string) =>
    changeCheck(props, { expectJson: expectJsonOf(where, how, text) });
  const error = errorAt(`${path}.expectJson.path`) ?? errorAt(`${path}.expectJson`);
  return (
    <div className="flex basis-full flex-wrap items-start gap-x-3 gap-y-2">
      <Field
        id={`${path}.expectJson.path`}
        label="JSON value"
        error={error}
        className="min-w-40 flex-1"
      >
        <Input
          autoComplete="off"
          spellCheck={false}
          placeholder="$.status"
          value={expected?.path ?? ''}
          onChange={(event) => change(event.target.value, condition, operandText(expected))}
        />
      </Field>
      <Field id={`${path}.expectJson.condition`} label="Condition" className="w-40">
        <Select
          value={condition}
          onChange={(event) => {
            const how = event.target.value as JsonCondition;
            setChosen(how);
            change(expected?.path ?? '', how, operandText(expected));
          }}
        >
          {Object.entries(JSON_CONDITIONS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      {hasOperand(condition) ? (
        <Field
          id={`${path}.expectJson.value`}
          label={condition === 'oneOf' ? 'Values' : 'Value'}
          error={errorAt(`${path}.expectJson.${condition}`)}
          className="min-w-32 flex-1"
        >
          <TypedInput
            placeholder={condition === 'oneOf' ? 'ok, passing' : 'ok'}
            value={expected}
            format={operandText}
            parse={(text) => expectJsonOf(expected?.path ?? '', condition, text)}
            onChange={(expectJson) => changeCheck(props, { expectJson })}
          />
        </Field>
      ) : null}
    </div>
  );
}

interface TypedValue<Value> {
  value: Value;
  /** Of a value, and back: `parse(format(value))` is equal to the value. */
  format: (value: Value) => string;
  parse: (text: string) => Value;
  onChange: (value: Value) => void;
}

/** A text that stands for another value; keeps what is typed, as typed. */
function TypedInput<Value>(
  props: TypedValue<Value> & Omit<ComponentProps<'input'>, keyof TypedValue<Value> | 'type'>,
) {
  const { value, format, parse, onChange, ...rest } = props;
  const [shown, type] = useTyped({ value, format, parse, onChange });
  return (
    <Input
      autoComplete="off"
      spellCheck={false}
      {...rest}
      value={shown}
      onChange={(event) => type(event.target.value)}
    />
  );
}

/** The same in several lines. */
function TypedTextarea<Value>(
  props: TypedValue<Value> & Omit<ComponentProps<'textarea'>, keyof TypedValue<Value>>,
) {
  const { value, format, parse, onChange, ...rest } = props;
  const [shown, type] = useTyped({ value, format, parse, onChange });
  return (
    <Textarea
      spellCheck={false}
      {...rest}
      value={shown}
      onChange={(event) => type(event.target.value)}
    />
  );
}

function useTyped<Value>({ value, format, parse, onChange }: TypedValue<Value>) {
  const [typed, setTyped] = useState(() => format(value));
  // Follows a change from outside (discarded, restored), never the own echo.
  const isEcho = JSON.stringify(parse(typed)) === JSON.stringify(value);
  const type = (text: string) => {
    setTyped(text);
    onChange(parse(text));
  };
  return [isEcho ? typed : format(value), type] as const;
}
