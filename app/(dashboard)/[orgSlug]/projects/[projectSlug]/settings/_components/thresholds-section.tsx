'use client';

import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { NumberInput } from '@/app/(dashboard)/[orgSlug]/projects/_components/number-input';
import { ApprovalsCard } from './approvals-card';
import { CheckpointFields } from './checkpoint-fields';
import { ChoiceRow } from './choice-row';
import { ContextThreshold } from './context-threshold';
import { CooldownEditor } from './cooldown-editor';
import { SettingsForm } from './settings-form';
import { type SectionProps, useDraft } from './use-draft';

const UNPROVEN_MODELS = {
  resume: 'A conversation also continues between models that have not been tested together.',
  handoff:
    'Between models that have not been tested together, the next tier starts from the handoff.',
};

const TAINTED = {
  resume: 'A higher tier also continues a conversation that holds alerts of other systems.',
  handoff:
    'Where a conversation holds alerts of other systems, the next tier starts from the handoff and doesn’t read them.',
};

interface ThresholdsSectionProps extends SectionProps {
  /** Context use at each escalation of the last 30 days; null where it is not known. */
  contextShares: readonly (number | null)[];
  /** CLAUDEOPS_RESUME_CONTEXT_THRESHOLD; null where each project has its own. */
  thresholdOverride: number | null;
}

export function ThresholdsSection(props: ThresholdsSectionProps) {
  const { organizationSlug, saved, refusal, contextShares, thresholdOverride } = props;
  const form = useDraft(organizationSlug, saved, [
    'contextThreshold',
    'maxRereadTokens',
    'continuation',
    'unprovenModels',
    'taintedConversation',
    'checkpoints',
    'cooldowns',
    'approvals',
  ]);
  const { config } = form.draft;
  const { continuation } = config;
  return (
    <SettingsForm form={form} refusal={refusal}>
      <Card title="Context threshold">
        <ContextThreshold
          value={config.contextThreshold}
          override={thresholdOverride}
          contextShares={contextShares}
          error={form.errorAt('contextThreshold')}
          onChange={(contextThreshold) => form.configure({ contextThreshold })}
        />
        <RereadLimit
          value={config.maxRereadTokens}
          error={form.errorAt('maxRereadTokens')}
          onChange={(maxRereadTokens) => form.configure({ maxRereadTokens })}
        />
      </Card>
      <Card title="Continuity">
        <div className="flex flex-col gap-4">
          <EdgeChoice
            name="continuation.tier1To2"
            label="Tier 1 to tier 2"
            value={continuation.tier1To2}
            onChange={(tier1To2) => form.configure({ continuation: { ...continuation, tier1To2 } })}
          />
          <EdgeChoice
            name="continuation.tier2To3"
            label="Tier 2 to tier 3"
            value={continuation.tier2To3}
            onChange={(tier2To3) => form.configure({ continuation: { ...continuation, tier2To3 } })}
          />
          <EdgeChoice
            name="unprovenModels"
            label="Unproven models"
            value={config.unprovenModels}
            onChange={(unprovenModels) => form.configure({ unprovenModels })}
            meaning={UNPROVEN_MODELS}
          />
          <EdgeChoice
            name="taintedConversation"
            label="Text of other systems"
            value={config.taintedConversation}
            onChange={(taintedConversation) => form.configure({ taintedConversation })}
            meaning={TAINTED}
          />
        </div>
      </Card>
      <CheckpointFields
        checkpoints={config.checkpoints}
        isLocked={refusal !== null}
        onChange={(checkpoints) => form.configure({ checkpoints })}
        errorAt={form.errorAt}
      />
      <CooldownEditor
        cooldowns={config.cooldowns}
        onChange={(cooldowns) => form.configure({ cooldowns })}
        errorAt={form.errorAt}
      />
      <div id="approvals" className="scroll-mt-18">
        <ApprovalsCard
          approvals={config.approvals}
          onChange={(approvals) => form.configure({ approvals })}
          errorAt={form.errorAt}
        />
      </div>
    </SettingsForm>
  );
}

type Mode = 'resume' | 'handoff';

interface EdgeChoiceProps {
  name: string;
  label: string;
  value: Mode;
  onChange: (mode: Mode) => void;
  /** What each choice does; by default for a step from one tier to the next. */
  meaning?: Record<Mode, string>;
}

const CHOICES = [
  { value: 'resume', label: 'Resume' },
  { value: 'handoff', label: 'Handoff' },
] as const satisfies { value: Mode; label: string }[];

const MEANING: Record<Mode, string> = {
  resume:
    'The next tier continues the conversation, and falls back to the handoff when resuming isn’t possible.',
  handoff:
    'The next tier always starts fresh, from a validated handoff file written by the previous tier.',
};

/** How a tier continues from the previous one. */
function EdgeChoice({ name, label, value, onChange, meaning = MEANING }: EdgeChoiceProps) {
  return (
    <ChoiceRow
      name={name}
      label={label}
      choices={CHOICES}
      value={value}
      onChange={onChange}
      meaning={meaning[value]}
    />
  );
}

interface RereadLimitProps {
  /** Tokens; null: no limit. */
  value: number | null;
  error: string | undefined;
  onChange: (value: number | null) => void;
}

/** How many tokens resuming a conversation may read again. */
function RereadLimit({ value, error, onChange }: RereadLimitProps) {
  return (
    <div className="mt-5">
      <Field
        id="maxRereadTokens"
        label="Re-read limit (tokens)"
        hint="Resuming with another model re-reads the whole conversation at full price. Above this many tokens the next tier starts from the handoff. Leave it empty for no limit."
        error={error}
      >
        {(control) => <NumberInput {...control} value={value} onChange={onChange} />}
      </Field>
    </div>
  );
}
