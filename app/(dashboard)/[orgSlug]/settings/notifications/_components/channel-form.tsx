'use client';

import { Plus } from 'lucide-react';
import { type FormEvent, useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { WeeklyFields } from '@/app/_components/deliveries/weekly-fields';
import { Button } from '@/app/_components/ui/button';
import { CheckboxGroup } from '@/app/_components/ui/checkbox-group';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input, Textarea, TimeZoneInput } from '@/app/_components/ui/input';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { PendingButton } from '@/app/_components/ui/spinner';
import {
  type ProjectChoice,
  ProjectSelect,
} from '@/app/(dashboard)/[orgSlug]/_components/project-select';
import {
  type Entered,
  type FormField,
  meets,
  type TargetForm,
  valuesOf,
} from '@/lib/deliveries/channels/form';
import { WEEKDAYS } from '@/lib/deliveries/weekdays';
import { EVENT_WORDS, OUTCOME_WORDS } from './channel-words';
import {
  type ChannelDraft,
  type ChannelErrors,
  fieldErrors,
  isAlertsOnly,
  receivable,
} from './draft';

interface ChannelFormProps {
  initial: ChannelDraft;
  /** Of the kinds to choose from. An existing channel keeps its kind. */
  forms: readonly TargetForm[];
  isNew: boolean;
  projects: readonly ProjectChoice[];
  submitLabel: string;
  /** Null when it is saved. */
  onSubmit: (draft: ChannelDraft, form: TargetForm) => Promise<ActionError | null>;
}

export function ChannelForm(props: ChannelFormProps) {
  const { initial, forms, isNew, projects, submitLabel, onSubmit } = props;
  const [draft, setDraft] = useState(initial);
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  const errors = fieldErrors(error?.fields ?? {});
  const form = forms.find(({ kind }) => kind === draft.kind);
  const change = (changed: Partial<ChannelDraft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    setError(null);
  };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending || !form) return;
    const element = event.currentTarget;
    startTransition(async () => {
      const problem = await onSubmit(draft, form);
      setError(problem);
      const [first] = Object.keys(fieldErrors(problem?.fields ?? {}));
      if (first) element.querySelector<HTMLElement>(`#channel-${first}`)?.focus();
    });
  }

  if (!form) return null;

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {isNew ? (
        <SegmentedChoice
          label="Kind"
          name="channel-kind"
          value={draft.kind}
          onChange={(kind) => change({ kind })}
          choices={forms.map(({ kind, name }) => ({ value: kind, label: name }))}
        />
      ) : null}
      <Field id="channel-name" label="Name" error={errors.name ?? null}>
        <Input
          autoComplete="off"
          placeholder="Who it notifies, such as On-call"
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      {isNew || form.shownIn || draft.isTargetReplaced ? (
        <TargetFields
          form={form}
          entered={draft.entered}
          errors={errors}
          onChange={(entered) => change({ entered })}
        />
      ) : (
        <p className="flex flex-wrap items-center gap-2 text-text-2 text-ui">
          The target contains a secret, so it isn’t shown.
          <Button size="sm" onClick={() => change({ isTargetReplaced: true })}>
            Replace target
          </Button>
        </p>
      )}
      <RouteFields
        draft={draft}
        form={form}
        errors={errors}
        projects={projects}
        onChange={change}
      />
      <QuietHoursFields draft={draft} errors={errors} onChange={change} />
      <FormProblem text={error && error.code !== 'invalid' ? error.message : null} />
      <PendingButton type="submit" look="primary" isPending={isPending} className="self-end">
        {submitLabel}
      </PendingButton>
    </form>
  );
}

interface RouteFieldsProps {
  draft: ChannelDraft;
  form: TargetForm;
  errors: ChannelErrors;
  projects: readonly ProjectChoice[];
  onChange: (change: Partial<ChannelDraft>) => void;
}

/** The events it is subscribed to. */
function RouteFields({ draft, form, errors, projects, onChange }: RouteFieldsProps) {
  return (
    <>
      <CheckboxGroup
        legend="When a chain ends"
        choices={choicesOf(receivable(draft, form, OUTCOME_WORDS))}
        chosen={draft.outcomes}
        onChange={(outcomes) => onChange({ outcomes })}
        className="grid-cols-2"
      />
      <CheckboxGroup
        legend="Other events"
        choices={choicesOf(receivable(draft, form, EVENT_WORDS))}
        chosen={draft.eventTypes}
        onChange={(eventTypes) => onChange({ eventTypes })}
        error={errors.outcomes}
        className="grid-cols-2"
      />
      {isAlertsOnly(draft, form) ? (
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

interface QuietHoursFieldsProps {
  draft: ChannelDraft;
  errors: ChannelErrors;
  onChange: (change: Partial<ChannelDraft>) => void;
}

/** When warnings and notices wait. */
function QuietHoursFields({ draft, errors, onChange }: QuietHoursFieldsProps) {
  const { quietHours } = draft;
  const note = 'Warnings and notices wait until they end. Critical messages are sent at any time.';
  if (!quietHours) {
    return (
      <div className="flex flex-col items-start gap-1">
        <Button size="sm" onClick={() => onChange({ quietHours: newQuietHours() })} icon={Plus}>
          Add quiet hours
        </Button>
        <p className="text-text-2 text-ui">{note}</p>
      </div>
    );
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 font-medium text-ui">Quiet hours</legend>
      <p className="text-text-2 text-ui">{note}</p>
      <WeeklyFields
        id="channel-quietHours"
        value={quietHours}
        onChange={(change) => onChange({ quietHours: { ...quietHours, ...change } })}
        problemAt={(field) => errors[`quietHours-${field}`]}
      />
      <Field
        id="channel-quietHours-timeZone"
        label="Time zone"
        error={errors['quietHours-timeZone'] ?? null}
      >
        <TimeZoneInput
          value={quietHours.timeZone}
          onChange={(event) =>
            onChange({ quietHours: { ...quietHours, timeZone: event.target.value } })
          }
        />
      </Field>
      <Button size="sm" className="self-start" onClick={() => onChange({ quietHours: null })}>
        Remove quiet hours
      </Button>
    </fieldset>
  );
}

function newQuietHours() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { days: WEEKDAYS, from: '22:00', to: '07:00', timeZone };
}

interface TargetFieldsProps {
  form: TargetForm;
  entered: Entered;
  errors: ChannelErrors;
  onChange: (entered: Entered) => void;
}

/** Where the messages go: the fields of the channel's kind. */
function TargetFields({ form, entered, errors, onChange }: TargetFieldsProps) {
  const values = valuesOf(form, entered);
  return form.fields
    .filter((field) => meets(values, field.when))
    .map((field) => {
      if (field.type === 'note') {
        return (
          <p key={field.text} className="text-text-2 text-ui">
            {field.text}
          </p>
        );
      }
      const { name } = field;
      const shared = {
        value: values[name] ?? '',
        error: errors[`settings-${name}`],
        onChange: (value: string) => onChange({ ...entered, [name]: value }),
      };
      return <TargetField key={name} field={field} {...shared} />;
    });
}

interface TargetFieldProps {
  field: Exclude<FormField, { type: 'note' }>;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** One setting. Secrets are plain text while they are entered, so they can be compared. */
function TargetField({ field, value, error, onChange }: TargetFieldProps) {
  if (field.type === 'choice') {
    const { label, name, choices } = field;
    return (
      <SegmentedChoice
        label={label}
        name={`channel-${name}`}
        value={value}
        onChange={onChange}
        choices={choices}
      />
    );
  }
  const { type, name, label, hint, placeholder, isOptional } = field;
  const shared = { autoComplete: 'off', spellCheck: false, placeholder, value };
  return (
    <Field
      id={`channel-settings-${name}`}
      label={label}
      hint={hint}
      error={error ?? null}
      {...(isOptional ? { isOptional } : {})}
    >
      {type === 'text' ? (
        <Input {...shared} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <Textarea {...shared} rows={2} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
