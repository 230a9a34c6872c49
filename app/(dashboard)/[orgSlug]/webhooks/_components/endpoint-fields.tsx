'use client';

import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Field } from '@/app/_components/ui/field';
import { FieldError } from '@/app/_components/ui/field-error';
import { Input } from '@/app/_components/ui/input';
import { Select } from '@/app/_components/ui/select';
import { eventChoices } from './event-words';

export interface EndpointDraft {
  url: string;
  description: string;
  eventTypes: readonly string[];
  /** `prj_…`; null: every project. */
  projectId: string | null;
}

export interface ProjectChoice {
  /** `prj_…` */
  id: string;
  name: string;
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
      <fieldset
        aria-describedby={errors.eventTypes ? 'endpoint-events-error' : undefined}
        className="flex flex-col gap-2"
      >
        <legend className="mb-1 font-medium text-ui">Events</legend>
        {eventChoices(subscribed).map(({ type, hint }) => (
          <CheckboxField
            key={type}
            label={<code className="text-code">{type}</code>}
            hint={hint}
            checked={draft.eventTypes.includes(type)}
            onChange={(event) =>
              set({
                eventTypes: event.target.checked
                  ? [...draft.eventTypes, type]
                  : draft.eventTypes.filter((each) => each !== type),
              })
            }
          />
        ))}
        {errors.eventTypes ? (
          <FieldError id="endpoint-events-error" errors={[errors.eventTypes]} />
        ) : null}
      </fieldset>
      {projects ? (
        <Field id="endpoint-project" label="Projects" error={errors.projectId}>
          {(control) => (
            <Select
              {...control}
              value={draft.projectId ?? ''}
              onChange={(event) => set({ projectId: event.target.value || null })}
            >
              <option value="">All, also those still to come</option>
              {projects.map((project) => (
                <option key={project.id} value={project.id}>
                  Only {project.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
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
