'use client';

import { useState } from 'react';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import {
  type CheckProps,
  changeCheck,
  conditionOf,
  expectJsonOf,
  hasOperand,
  JSON_CONDITIONS,
  type JsonCondition,
  operandText,
} from './check-form';
import { TypedInput } from './typed-input';

/** What a value of the response must be: where it is, how it is judged, and by what. */
export function JsonOption(props: CheckProps) {
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
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            placeholder="$.status"
            value={expected?.path ?? ''}
            onChange={(event) => change(event.target.value, condition, operandText(expected))}
          />
        )}
      </Field>
      <Field id={`${path}.expectJson.condition`} label="Condition" className="w-40">
        {(control) => (
          <Select
            {...control}
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
        )}
      </Field>
      {hasOperand(condition) ? (
        <Field
          id={`${path}.expectJson.value`}
          label={condition === 'oneOf' ? 'Values' : 'Value'}
          error={errorAt(`${path}.expectJson.${condition}`)}
          className="min-w-32 flex-1"
        >
          {(control) => (
            <TypedInput
              {...control}
              placeholder={condition === 'oneOf' ? 'ok, passing' : 'ok'}
              value={expected}
              format={operandText}
              parse={(text) => expectJsonOf(expected?.path ?? '', condition, text)}
              onChange={(expectJson) => changeCheck(props, { expectJson })}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}
