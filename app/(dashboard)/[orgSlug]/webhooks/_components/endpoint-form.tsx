'use client';

import { type FormEvent, useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { CheckboxGroup } from '@/app/_components/ui/checkbox-group';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { PendingButton } from '@/app/_components/ui/spinner';
import type { WebhookEventType } from '@/lib/deliveries/schema';
import { type ProjectChoice, ProjectSelect } from '../../_components/project-select';

/** The input that is sent; the server validates every part again. */
type EndpointInput = Omit<EndpointDraft, 'eventTypes'> & { eventTypes: WebhookEventType[] };

interface EndpointFormProps {
  initial: EndpointDraft;
  projects: readonly ProjectChoice[] | null;
  submitLabel: string;
  /** Null when it is saved. */
  onSubmit: (input: EndpointInput) => Promise<ActionError | null>;
}

export function EndpointForm({ initial, projects, submitLabel, onSubmit }: EndpointFormProps) {
  const [draft, setDraft] = useState(initial);
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const form = event.currentTarget;
    startTransition(async () => {
      const eventTypes = draft.eventTypes as WebhookEventType[];
      const problem = await onSubmit({ ...draft, eventTypes });
      setError(problem);
      if (problem?.fields.url) form.querySelector<HTMLElement>('#endpoint-url')?.focus();
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <EndpointFields
        draft={draft}
        errors={error?.fields ?? {}}
        projects={projects}
        subscribed={initial.eventTypes}
        onChange={(next) => {
          setDraft(next);
          setError(error && withoutChanged(error, draft, next));
        }}
      />
      <FormProblem text={error && error.code !== 'invalid' ? error.message : null} />
      <PendingButton type="submit" look="primary" isPending={isPending} className="self-end">
        {submitLabel}
      </PendingButton>
    </form>
  );
}

/** Removes the errors of a changed field. */
function withoutChanged(
  error: ActionError,
  before: EndpointDraft,
  after: EndpointDraft,
): ActionError {
  const kept = Object.entries(error.fields).filter(
    ([key]) => before[key as keyof EndpointDraft] === after[key as keyof EndpointDraft],
  );
  return { ...error, fields: Object.fromEntries(kept) };
}

interface EndpointDraft {
  url: string;
  description: string;
  eventTypes: readonly string[];
  /** `prj_…`; null: every project. */
  projectId: string | null;
}

interface EndpointFieldsProps {
  draft: EndpointDraft;
  /** What is wrong, by the draft's keys. */
  errors: Record<string, string | undefined>;
  /** Null where the project is fixed: an endpoint keeps the one it was made for. */
  projects: readonly ProjectChoice[] | null;
  /** Subscriptions that stand already. */
  subscribed: readonly string[];
  onChange: (draft: EndpointDraft) => void;
}

function EndpointFields(props: EndpointFieldsProps) {
  const { draft, errors, projects, subscribed, onChange } = props;
  const set = (change: Partial<EndpointDraft>) => onChange({ ...draft, ...change });
  return (
    <>
      <Field
        id="endpoint-url"
        label="URL"
        hint="Where events are posted. Private and metadata addresses are refused."
        error={errors.url}
      >
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://hooks.example.com/tierwatch"
          value={draft.url}
          onChange={(event) => set({ url: event.target.value })}
        />
      </Field>
      <CheckboxGroup
        legend="Events"
        choices={eventChoices(subscribed).map(({ type, hint }) => ({
          value: type,
          label: <code className="text-code">{type}</code>,
          hint,
        }))}
        chosen={draft.eventTypes}
        onChange={(eventTypes) => set({ eventTypes })}
        error={errors.eventTypes}
      />
      {projects ? (
        <ProjectSelect
          id="endpoint-project"
          projects={projects}
          value={draft.projectId}
          onChange={(projectId) => set({ projectId })}
          error={errors.projectId}
        />
      ) : null}
      <Field id="endpoint-description" label="Description" isOptional error={errors.description}>
        <Input
          value={draft.description}
          placeholder="What receives the events"
          onChange={(event) => set({ description: event.target.value })}
        />
      </Field>
    </>
  );
}

interface EventWords {
  type: WebhookEventType;
  /** When it is sent. */
  hint: string;
}

/** Every event, in the order in which they are offered. */
const OFFERED_EVENTS: readonly EventWords[] = [
  {
    type: 'chain.completed',
    hint: 'Every chain that ends: outcome, sessions, cost, services affected.',
  },
  {
    type: 'chain.needs_human',
    hint: 'The same summary, only for chains that need a human.',
  },
  { type: 'chain.started', hint: 'A chain’s first session starts.' },
  { type: 'chain.escalated', hint: 'A chain escalates to the next tier.' },
  { type: 'incident.opened', hint: 'Services began to fail: one event for each outage.' },
  { type: 'incident.needs_human', hint: 'People have to act on an incident.' },
  { type: 'incident.acknowledged', hint: 'A person is working on it.' },
  { type: 'incident.verifying', hint: 'Its services are healthy, but not for long enough yet.' },
  {
    type: 'incident.verification_failed',
    hint: 'Its services fail again, or nothing proves that they are healthy.',
  },
  { type: 'incident.resolved', hint: 'Its services have stayed healthy, or a person resolved it.' },
  { type: 'incident.merged', hint: 'It is part of another incident, which continues.' },
  { type: 'incident.reopened', hint: 'The same services fail again soon after it was resolved.' },
  { type: 'approval.requested', hint: 'A command or the start of a tier waits for approval.' },
  { type: 'approval.decided', hint: 'People have approved or refused it.' },
  { type: 'approval.expired', hint: 'Nobody decided about it in time.' },
  { type: 'session.completed', hint: 'A session ends: mechanism, cost, turns.' },
  { type: 'budget.warning', hint: 'A chain, day or month has used 80% of its budget.' },
  { type: 'budget.reached', hint: 'A budget is used up, so nothing further starts on it.' },
  { type: 'runner.offline', hint: 'A runner has stopped responding.' },
  { type: 'runner.key_shared', hint: 'A second host used a runner’s key and was refused.' },
  { type: 'checks.blocked', hint: 'No runner can run the checks of a project.' },
  { type: 'checks.resumed', hint: 'A runner can run them again.' },
];

/** What the form lists: the offered ones, and whatever the endpoint has been subscribed to by API. */
function eventChoices(subscribed: readonly string[]): { type: string; hint: string | null }[] {
  const offered = OFFERED_EVENTS.map((event) => event.type as string);
  const others = subscribed.filter((type) => !offered.includes(type));
  return [...OFFERED_EVENTS, ...others.map((type) => ({ type, hint: null }))];
}
