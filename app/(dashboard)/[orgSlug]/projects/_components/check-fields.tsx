'use client';

import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { CheckSpec, CheckType } from '@/lib/protocol/spec';
import { MainOptions, MoreOptions, QueryOptions } from './check-options';
import { CHECK_TYPES } from './check-words';
import { NumberInput } from './number-input';

const TYPES = Object.keys(CHECK_TYPES) as CheckType[];

interface CheckFieldsProps {
  /** The path of the check: `services.0.checks.1`. */
  path: string;
  check: CheckSpec;
  onChange: (check: CheckSpec) => void;
  onRemove: () => void;
  errorAt: (path: string) => string | undefined;
  /** Stands below the fields: what tries the check. */
  footer?: ReactNode;
}

export function CheckFields(props: CheckFieldsProps) {
  const { path, check, onChange, onRemove, errorAt, footer } = props;
  const words = CHECK_TYPES[check.type];
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <Field id={`${path}.type`} label="Check" className="w-36">
        {(control) => (
          <Select
            {...control}
            value={check.type}
            onChange={(event) => {
              const type = TYPES.find((known) => known === event.target.value) ?? 'http';
              onChange({ type, target: check.target, timeoutSeconds: check.timeoutSeconds });
            }}
          >
            {TYPES.map((type) => (
              <option key={type} value={type}>
                {CHECK_TYPES[type].word}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        id={`${path}.target`}
        label={words.target}
        error={errorAt(`${path}.target`)}
        className="min-w-52 flex-1 basis-64"
      >
        {(control) => (
          <Input
            {...control}
            spellCheck={false}
            autoComplete="off"
            placeholder={words.example}
            value={check.target}
            onChange={(event) => onChange({ ...check, target: event.target.value })}
          />
        )}
      </Field>
      <MainOptions {...{ path, check, onChange, errorAt }} />
      {check.type === 'heartbeat' ? null : (
        <Field
          id={`${path}.timeoutSeconds`}
          label="Timeout (s)"
          error={errorAt(`${path}.timeoutSeconds`)}
        >
          {(control) => (
            <NumberInput
              {...control}
              value={check.timeoutSeconds}
              onChange={(seconds) => onChange({ ...check, timeoutSeconds: seconds ?? Number.NaN })}
              className="w-18"
            />
          )}
        </Field>
      )}
      <Button
        look="quiet"
        size="icon"
        aria-label={`Remove the check of ${check.target || words.word}`}
        onClick={onRemove}
      >
        <Trash2 aria-hidden />
      </Button>
      <QueryOptions {...{ path, check, onChange, errorAt }} />
      <MoreOptions {...{ path, check, onChange, errorAt }} />
      {footer ? <div className="basis-full">{footer}</div> : null}
    </div>
  );
}
