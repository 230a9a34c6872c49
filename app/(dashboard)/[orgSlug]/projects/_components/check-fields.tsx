'use client';

import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import type { CheckSpec, CheckType } from '@/lib/protocol/spec';
import { NumberInput } from './number-input';

export const CHECK_TYPES: Record<CheckType, { word: string; target: string; example: string }> = {
  http: { word: 'HTTP', target: 'URL', example: 'https://shop.example/health' },
  tcp: { word: 'TCP port', target: 'Host and port', example: 'db-1.internal:5432' },
  dns: { word: 'DNS', target: 'Name', example: 'shop.example' },
  database: { word: 'Database', target: 'Address', example: 'postgresql://db-1.internal:5432' },
  container: { word: 'Container', target: 'Name', example: 'payments-db' },
  service: { word: 'System service', target: 'Unit', example: 'nginx.service' },
  process: { word: 'Process', target: 'Name or pid file', example: '/run/web.pid' },
};

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
      {check.type === 'http' ? (
        <>
          <Field id={`${path}.expectStatus`} label="Status" error={errorAt(`${path}.expectStatus`)}>
            {(control) => (
              <NumberInput
                {...control}
                placeholder="200–399"
                value={check.expectStatus ?? null}
                onChange={(expectStatus) => onChange(withOptional(check, { expectStatus }))}
                className="w-24"
              />
            )}
          </Field>
          <Field id={`${path}.expectText`} label="Must contain" isOptional className="w-40">
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                value={check.expectText ?? ''}
                onChange={(event) =>
                  onChange(withOptional(check, { expectText: event.target.value || null }))
                }
              />
            )}
          </Field>
        </>
      ) : null}
      <Field
        id={`${path}.timeoutSeconds`}
        label="Within, s"
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
      <Button
        look="quiet"
        size="icon"
        aria-label={`Remove the check of ${check.target || words.word}`}
        onClick={onRemove}
      >
        <Trash2 aria-hidden />
      </Button>
      {footer ? <div className="basis-full">{footer}</div> : null}
    </div>
  );
}

/** Null takes the field out: absent means the default. */
function withOptional(
  check: CheckSpec,
  changes: { expectStatus?: number | null; expectText?: string | null },
): CheckSpec {
  const merged = { ...check, ...changes };
  const entries = Object.entries(merged).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as CheckSpec;
}
