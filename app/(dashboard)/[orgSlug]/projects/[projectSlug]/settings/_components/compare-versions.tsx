'use client';

import { useId, useState, useTransition } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import type { FieldChange } from '@/lib/projects/difference';
import { compareVersions } from '../actions';
import { DifferenceList } from './difference-list';

interface CompareVersionsProps {
  organizationSlug: string;
  project: string;
  /** Numbers, newest first. */
  versions: readonly number[];
}

/** What lies between any two versions. */
export function CompareVersions({ organizationSlug, project, versions }: CompareVersionsProps) {
  const ids = { from: useId(), to: useId() };
  const newest = versions[0] ?? 1;
  const [from, setFrom] = useState(versions[1] ?? newest);
  const [to, setTo] = useState(newest);
  const [answer, setAnswer] = useState<FieldChange[] | string | null>(null);
  const [isWorking, startWork] = useTransition();

  function compare() {
    startWork(async () => {
      const said = await compareVersions({ organizationSlug, project, from, to });
      setAnswer(said.ok ? said.data : said.error.message);
    });
  }

  const choice = (key: 'from' | 'to', value: number, choose: (version: number) => void) => (
    <Field id={ids[key]} label={key === 'from' ? 'From' : 'To'} className="w-28">
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(event) => {
            choose(Number(event.target.value));
            setAnswer(null);
          }}
        >
          {versions.map((version) => (
            <option key={version} value={version}>
              v{version}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );

  return (
    <Card title="Compare two versions">
      <div className="flex flex-wrap items-end gap-3">
        {choice('from', from, setFrom)}
        {choice('to', to, setTo)}
        <Button aria-disabled={isWorking || undefined} onClick={compare}>
          Compare
        </Button>
      </div>
      {typeof answer === 'string' ? (
        <p role="alert" className="mt-3 text-bad-fg">
          {answer}
        </p>
      ) : null}
      {Array.isArray(answer) ? (
        <section aria-label={`From v${from} to v${to}`} className="mt-3">
          {answer.length === 0 ? (
            <p className="text-text-2">
              v{from} and v{to} say the same.
            </p>
          ) : (
            <DifferenceList changes={answer} />
          )}
        </section>
      ) : null}
    </Card>
  );
}
