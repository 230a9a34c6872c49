'use client';

import { type FormEvent, useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { CheckboxGroup } from '@/app/_components/ui/checkbox-group';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { Spinner } from '@/app/_components/ui/spinner';
import {
  type ProjectChoice,
  ProjectSelect,
} from '@/app/(dashboard)/[orgSlug]/_components/project-select';
import type { NotificationTransports } from '@/lib/deliveries/mail';
import {
  CHANNEL_KIND_NAMES,
  CHANNEL_KINDS,
  isAlertsOnlyKind,
} from '@/lib/deliveries/targets/kinds';
import { EVENT_WORDS, OUTCOME_WORDS } from './channel-words';
import {
  type ChannelDraft,
  type ChannelErrors,
  fieldErrors,
  isTargetEntered,
  receivable,
} from './draft';
import { QuietHoursFields } from './quiet-hours-fields';
import { TargetFields } from './target-fields';

interface ChannelFormProps {
  initial: ChannelDraft;
  /** An existing channel keeps its kind. */
  isNew: boolean;
  projects: readonly ProjectChoice[];
  transports: NotificationTransports;
  submitLabel: string;
  /** Null when it is saved. */
  onSubmit: (draft: ChannelDraft) => Promise<ActionError | null>;
}

export function ChannelForm(props: ChannelFormProps) {
  const { initial, isNew, projects, transports, submitLabel, onSubmit } = props;
  const [draft, setDraft] = useState(initial);
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  const errors = fieldErrors(error?.fields ?? {});
  const change = (changed: Partial<ChannelDraft>) => {
    setDraft({ ...draft, ...changed });
    setError(null);
  };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const form = event.currentTarget;
    startTransition(async () => {
      const problem = await onSubmit(draft);
      setError(problem);
      const first = Object.entries(fieldErrors(problem?.fields ?? {})).find(([, text]) => text);
      if (first) form.querySelector<HTMLElement>(`#channel-${first[0]}`)?.focus();
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {isNew ? (
        <SegmentedChoice
          label="Kind"
          name="channel-kind"
          value={draft.kind}
          onChange={(kind) => change({ kind })}
          choices={CHANNEL_KINDS.map((value) => ({ value, label: CHANNEL_KIND_NAMES[value] }))}
        />
      ) : null}
      <Field id="channel-name" label="Name" error={errors.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            placeholder="Who it notifies, such as On-call"
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      {isTargetEntered(draft, isNew) ? (
        <TargetFields
          draft={draft}
          errors={errors}
          isKeptWhenEmpty={!isNew}
          transports={transports}
          onChange={change}
        />
      ) : (
        <p className="flex flex-wrap items-center gap-2 text-text-2 text-ui">
          The target contains a secret, so it isn’t shown.
          <Button size="sm" onClick={() => change({ isTargetReplaced: true })}>
            Replace target
          </Button>
        </p>
      )}
      <RouteFields draft={draft} errors={errors} projects={projects} onChange={change} />
      <QuietHoursFields draft={draft} errors={errors} onChange={change} />
      <FormProblem text={error && error.code !== 'invalid' ? error.message : null} />
      <Button
        type="submit"
        look="primary"
        aria-disabled={isPending || undefined}
        className="self-end"
      >
        {isPending ? <Spinner /> : null} {submitLabel}
      </Button>
    </form>
  );
}

interface RouteFieldsProps {
  draft: ChannelDraft;
  errors: ChannelErrors;
  projects: readonly ProjectChoice[];
  onChange: (change: Partial<ChannelDraft>) => void;
}

/** The events it is subscribed to. */
function RouteFields({ draft, errors, projects, onChange }: RouteFieldsProps) {
  return (
    <>
      <CheckboxGroup
        legend="When a chain ends"
        choices={choicesOf(receivable(draft, OUTCOME_WORDS))}
        chosen={draft.outcomes}
        onChange={(outcomes) => onChange({ outcomes })}
        className="grid-cols-2"
      />
      <CheckboxGroup
        legend="Other events"
        choices={choicesOf(receivable(draft, EVENT_WORDS))}
        chosen={draft.eventTypes}
        onChange={(eventTypes) => onChange({ eventTypes })}
        error={errors.outcomes}
        className="grid-cols-2"
      />
      {isAlertsOnlyKind(draft.kind, draft.shape) ? (
        <p className="text-text-2 text-ui">
          On-call targets receive alerts only. Add another channel for notices, such as a runner
          that goes offline.
        </p>
      ) : null}
      <ProjectSelect
        id="channel-projectId"
        projects={projects}
        value={draft.projectId || null}
        onChange={(projectId) => onChange({ projectId: projectId ?? '' })}
        error={errors.projectId}
      />
    </>
  );
}

function choicesOf(words: readonly [string, string][]) {
  return words.map(([value, label]) => ({ value, label }));
}
