'use client';

import { Card } from '@/app/_components/ui/card';
import { CheckpointFields } from './checkpoint-fields';
import { ContextThreshold } from './context-threshold';
import { CooldownEditor } from './cooldown-editor';
import { EdgeChoice } from './edge-choice';
import { RereadLimit } from './reread-limit';
import type { SectionProps } from './section-props';
import { SettingsForm } from './settings-form';
import { useDraft } from './use-draft';

const UNPROVEN_MODELS = {
  resume: 'A conversation also continues between models that have not been tested together.',
  handoff:
    'Between models that have not been tested together, the next tier starts from the handoff.',
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
    'checkpoints',
    'cooldowns',
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
    </SettingsForm>
  );
}
