'use client';

import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input, Select } from '@/app/_components/ui/input';
import {
  type Field as CheckFieldSpec,
  type CheckKind,
  everySeconds,
} from '@/lib/protocol/checks/check-kind';
import { CHECK_KINDS, CHECK_TYPES } from '@/lib/protocol/checks/kinds';
import type { CheckSpec } from '@/lib/protocol/spec';
import { CheckField } from './check-field';
import type { CheckProps } from './check-form';
import { NumberInput } from './number-input';

interface CheckFieldsProps extends CheckProps {
  onRemove: () => void;
  /** Stands below the fields: what tries the check. */
  footer?: ReactNode;
}

export function CheckFields(props: CheckFieldsProps) {
  const { path, check, onChange, onRemove, errorAt, footer } = props;
  const { word, target, isReceived } = kindOf(check);
  const option = { path, check, onChange, errorAt };
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <Field id={`${path}.type`} label="Check" className="w-36">
        <Select
          value={check.type}
          onChange={(event) => {
            const type = CHECK_TYPES.find((known) => known === event.target.value) ?? 'http';
            onChange({ type, target: check.target, timeoutSeconds: check.timeoutSeconds });
          }}
        >
          {CHECK_TYPES.map((type) => (
            <option key={type} value={type}>
              {CHECK_KINDS[type].word}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        id={`${path}.target`}
        label={target.label}
        error={errorAt(`${path}.target`)}
        className="min-w-52 flex-1 basis-64"
      >
        <Input
          spellCheck={false}
          autoComplete="off"
          placeholder={target.example}
          value={check.target}
          onChange={(event) => onChange({ ...check, target: event.target.value })}
        />
      </Field>
      <Options {...option} fields={fieldsAt(check, 'main')} />
      {isReceived ? null : (
        <Field
          id={`${path}.timeoutSeconds`}
          label="Timeout (s)"
          error={errorAt(`${path}.timeoutSeconds`)}
        >
          <NumberInput
            value={check.timeoutSeconds}
            onChange={(seconds) => onChange({ ...check, timeoutSeconds: seconds ?? Number.NaN })}
            className="w-18"
          />
        </Field>
      )}
      <Button
        look="quiet"
        size="icon"
        aria-label={`Remove the check of ${check.target || word}`}
        onClick={onRemove}
      >
        <Trash2 aria-hidden />
      </Button>
      <RowOptions {...option} />
      <MoreOptions {...option} />
      {footer ? <div className="basis-full">{footer}</div> : null}
    </div>
  );
}

type NamedField = [name: string, field: CheckFieldSpec];

function kindOf({ type }: Pick<CheckSpec, 'type'>): CheckKind {
  return CHECK_KINDS[type] as CheckKind;
}

function fieldsAt(check: CheckSpec, place: CheckFieldSpec['place']): NamedField[] {
  return Object.entries(kindOf(check).fields).filter(([, field]) => field.place === place);
}

function Options({ fields, ...props }: CheckProps & { fields: readonly NamedField[] }) {
  return fields.map(([name, field]) => (
    <CheckField key={name} {...props} name={name} field={field} />
  ));
}

/** Fields in a row of their own, such as the query of Prometheus. */
function RowOptions(props: CheckProps) {
  const fields = fieldsAt(props.check, 'row');
  if (fields.length === 0) return null;
  return (
    <div className="flex basis-full flex-wrap items-start gap-x-3 gap-y-2">
      <Options {...props} fields={fields} />
    </div>
  );
}

/** Short controls come first; the others take a row of their own. */
const ORDER = ['number', 'choice', 'text', 'exitCodes', 'json', 'list', 'headers', 'flag'];

/** Everything else, collapsed until it is needed. */
function MoreOptions(props: CheckProps) {
  const { path, check, errorAt } = props;
  // Stays open once a problem has opened it, also while that is corrected.
  const [isOpen, setOpen] = useState(false);
  const { fields, isReceived } = kindOf(check);
  const own = fieldsAt(check, undefined).toSorted(
    ([, one], [, other]) => ORDER.indexOf(one.control) - ORDER.indexOf(other.control),
  );
  const shown: NamedField[] = isReceived ? own : [['everySeconds', everySeconds], ...own];
  const named = [...Object.keys(fields), 'expectJson.path', 'everySeconds'];
  const hasProblem = named.some((field) => errorAt(`${path}.${field}`) !== undefined);
  return (
    <details
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="basis-full text-ui"
    >
      <summary className="w-fit cursor-pointer text-link">More options</summary>
      <div className="mt-2 flex flex-wrap items-end gap-x-3 gap-y-2">
        <Options {...props} fields={shown} />
      </div>
    </details>
  );
}
