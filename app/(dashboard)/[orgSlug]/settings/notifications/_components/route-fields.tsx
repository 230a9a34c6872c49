'use client';

import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Field } from '@/app/_components/ui/field';
import { FieldError } from '@/app/_components/ui/field-error';
import { Select } from '@/app/_components/ui/select';
import { EVENT_WORDS, OUTCOME_WORDS } from './channel-words';
import type { ChannelDraft, ChannelErrors } from './draft';

export interface ProjectChoice {
  /** `prj_…` */
  id: string;
  name: string;
}

interface RouteFieldsProps {
  draft: ChannelDraft;
  errors: ChannelErrors;
  projects: readonly ProjectChoice[];
  onChange: (change: Partial<ChannelDraft>) => void;
}

/** What it hears of. */
export function RouteFields({ draft, errors, projects, onChange }: RouteFieldsProps) {
  return (
    <>
      <Choices
        legend="When a chain ends"
        words={OUTCOME_WORDS}
        chosen={draft.outcomes}
        errorId={errors.outcomes ? 'channel-outcomes-error' : undefined}
        onChange={(outcomes) => onChange({ outcomes })}
      />
      <Choices
        legend="Besides"
        words={EVENT_WORDS}
        chosen={draft.eventTypes}
        errorId={errors.outcomes ? 'channel-outcomes-error' : undefined}
        onChange={(eventTypes) => onChange({ eventTypes })}
      />
      {errors.outcomes ? (
        <FieldError id="channel-outcomes-error" errors={[errors.outcomes]} />
      ) : null}
      <Field id="channel-projectId" label="Projects" error={errors.projectId}>
        {(control) => (
          <Select
            {...control}
            value={draft.projectId}
            onChange={(event) => onChange({ projectId: event.target.value })}
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
    </>
  );
}

interface ChoicesProps {
  legend: string;
  words: Readonly<Record<string, string>>;
  chosen: readonly string[];
  errorId: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}

function Choices({ legend, words, chosen, errorId, onChange }: ChoicesProps) {
  return (
    <fieldset aria-describedby={errorId}>
      <legend className="mb-1.5 font-medium text-ui">{legend}</legend>
      <div className="grid grid-cols-2 gap-x-3 gap-y-1.5">
        {Object.entries(words).map(([key, label]) => (
          <CheckboxField
            key={key}
            label={label}
            checked={chosen.includes(key)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...chosen, key] : chosen.filter((each) => each !== key),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
