'use client';

import { type FormEvent, useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { FormProblem } from '@/app/_components/ui/field';
import { Spinner } from '@/app/_components/ui/spinner';
import type { WebhookEventType } from '@/lib/deliveries/webhooks/schema';
import type { ProjectChoice } from '../../_components/project-select';
import { type EndpointDraft, EndpointFields } from './endpoint-fields';

/** What is sent; the server looks at every part of it again. */
export type EndpointInput = Omit<EndpointDraft, 'eventTypes'> & { eventTypes: WebhookEventType[] };

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

/** What was wrong with a field is not said of what stands there now. */
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
