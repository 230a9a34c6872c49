'use client';

import { CheckboxGroup } from '@/app/_components/ui/checkbox-group';
import { type ProjectChoice, ProjectSelect } from '../../../_components/project-select';
import { EVENT_WORDS, OUTCOME_WORDS } from './channel-words';
import type { ChannelDraft, ChannelErrors } from './draft';

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
      <CheckboxGroup
        legend="When a chain ends"
        choices={choicesOf(OUTCOME_WORDS)}
        chosen={draft.outcomes}
        onChange={(outcomes) => onChange({ outcomes })}
        className="grid-cols-2"
      />
      <CheckboxGroup
        legend="Besides"
        choices={choicesOf(EVENT_WORDS)}
        chosen={draft.eventTypes}
        onChange={(eventTypes) => onChange({ eventTypes })}
        error={errors.outcomes}
        className="grid-cols-2"
      />
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

function choicesOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}
