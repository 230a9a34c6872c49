'use client';

import { CheckboxGroup } from '@/app/_components/ui/checkbox-group';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { type ProjectChoice, ProjectSelect } from '../../_components/project-select';
import { eventChoices } from './event-words';

export interface EndpointDraft {
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

export function EndpointFields(props: EndpointFieldsProps) {
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
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://hooks.example.com/tierwatch"
            value={draft.url}
            onChange={(event) => set({ url: event.target.value })}
          />
        )}
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
        {(control) => (
          <Input
            {...control}
            value={draft.description}
            placeholder="What listens there"
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
