'use client';

import { History } from 'lucide-react';
import { useId, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/input';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { FieldChange } from '@/lib/projects/difference';
import { compareVersions, restoreVersion } from '../actions';
import { DifferenceList } from './difference-list';
import { ALL_TAKES_EFFECT } from './draft';
import { PolicyEffect } from './policy-effect';

interface ShownVersion {
  version: number;
  author: string;
  note: string;
  /** ISO 8601. */
  createdAt: string;
  changes: FieldChange[] | null;
  /** Whether restoring it may decide commands differently. */
  decidesCommands: boolean;
}

interface VersionsSectionProps {
  organizationSlug: string;
  project: string;
  /** Newest first. */
  versions: readonly ShownVersion[];
  refusal: Refusal;
}

const MAX_SHOWN = 8;

export function VersionsSection(props: VersionsSectionProps) {
  const { versions, refusal } = props;
  const current = versions[0]?.version ?? 1;
  return (
    <>
      {versions.length > 1 ? (
        <CompareVersions
          organizationSlug={props.organizationSlug}
          project={props.project}
          versions={versions.map(({ version }) => version)}
        />
      ) : null}
      <Card title="Versions" note={versions.length} isFlush>
        {refusal ? (
          <p className="border-line border-b px-4 py-2 text-text-2 text-ui">
            To restore one: {refusal}
          </p>
        ) : null}
        <ol>
          {versions.map((item) => (
            <li key={item.version} className="border-line border-t px-4 py-3 first:border-t-0">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h3 className="text-card tabular-nums">v{item.version}</h3>
                <span className="text-text-2 text-ui">
                  {item.author} · <Time at={item.createdAt} isPlain />
                  {item.note ? ` · ${item.note}` : ''}
                </span>
                <span className="ml-auto">
                  {item.version === current ? (
                    <span className="text-meta text-text-3">active</span>
                  ) : refusal ? null : (
                    <Restore {...props} item={item} current={current} />
                  )}
                </span>
              </div>
              <Changes changes={item.changes} />
            </li>
          ))}
        </ol>
      </Card>
    </>
  );
}

function Changes({ changes }: { changes: FieldChange[] | null }) {
  if (!changes) return null;
  if (changes.length === 0) {
    return <p className="text-text-3 text-ui">No configuration changes.</p>;
  }
  const more = changes.length - MAX_SHOWN;
  return (
    <>
      <DifferenceList changes={changes.slice(0, MAX_SHOWN)} />
      {more > 0 ? (
        <details>
          <summary className="w-fit cursor-pointer py-1 text-link text-ui">{more} more</summary>
          <DifferenceList changes={changes.slice(MAX_SHOWN)} />
        </details>
      ) : null}
    </>
  );
}

interface RestoreProps extends VersionsSectionProps {
  item: ShownVersion;
  current: number;
}

function Restore({ organizationSlug, project, item, current }: RestoreProps) {
  const { version, decidesCommands } = item;
  return (
    <ConfirmDialog
      form={decidesCommands ? 'review' : 'question'}
      trigger={
        <Button size="sm" icon={History}>
          Restore v{version}
        </Button>
      }
      title={`Restore v${version}`}
      look="primary"
      confirmLabel={`Restore v${version}`}
      effects={[
        `The settings of v${version} become v${current + 1}. All versions stay in this list.`,
        `It ${ALL_TAKES_EFFECT}. Name and short name stay as they are.`,
      ]}
      onConfirm={async () => {
        const answer = await restoreVersion({
          organizationSlug,
          project,
          version,
          baseVersion: current,
        });
        if (!answer.ok) return answer;
        toast.success(`v${version} is restored as v${answer.data.version}.`);
        for (const warning of answer.data.warnings) toast.warning(warning);
        return answer;
      }}
    >
      {decidesCommands ? (
        <PolicyEffect
          key={current}
          organizationSlug={organizationSlug}
          project={project}
          baseVersion={current}
          next={{ version }}
        />
      ) : null}
    </ConfirmDialog>
  );
}

interface CompareVersionsProps {
  organizationSlug: string;
  project: string;
  /** Numbers, newest first. */
  versions: readonly number[];
}

/** Compares any two versions. */
function CompareVersions({ organizationSlug, project, versions }: CompareVersionsProps) {
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
      <Select
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
              v{from} and v{to} are identical.
            </p>
          ) : (
            <DifferenceList changes={answer} />
          )}
        </section>
      ) : null}
    </Card>
  );
}
