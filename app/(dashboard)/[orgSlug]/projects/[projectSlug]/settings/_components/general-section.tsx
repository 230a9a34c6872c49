'use client';

import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { Input, Textarea } from '@/app/_components/ui/input';
import type { AgentInfo } from '@/lib/agents/registry';
import { withAgent } from '@/lib/projects/tier-models';
import { AgentSelect } from './agent-select';
import { SecretsEditor } from './secrets-editor';
import { SettingsForm } from './settings-form';
import { SwitchRow } from './switch-row';
import { type SectionProps, useDraft } from './use-draft';

interface GeneralSectionProps extends SectionProps {
  pools: readonly string[];
  agents: readonly AgentInfo[];
  /** CLAUDEOPS_DRY_RUN overrides the switch. */
  isDryRunForced: boolean;
}

export function GeneralSection(props: GeneralSectionProps) {
  const { organizationSlug, saved, refusal, pools, agents, isDryRunForced } = props;
  const form = useDraft(
    organizationSlug,
    saved,
    ['name', 'slug', 'harness', 'dryRun', 'runnerPool', 'instructions', 'secrets'],
    (config, { harness }) => {
      // The models of the tiers follow the agent, even if someone else changed the tiers in the
      // meantime.
      const chosen = agents.find(({ name }) => name === harness);
      return chosen ? withAgent(config, harness, chosen.tierModels) : config;
    },
  );
  const { draft, errorAt } = form;
  const { config } = draft;
  return (
    <SettingsForm form={form} refusal={refusal}>
      <Card title="Project">
        <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
          <Field id="name" label="Name" hint="Display name of the project." error={errorAt('name')}>
            {(control) => (
              <Input
                {...control}
                value={draft.name}
                onChange={(event) => form.change({ name: event.target.value })}
              />
            )}
          </Field>
          <Field
            id="slug"
            label="Short name"
            hint="Used in URLs. Links with the old name stop working."
            error={errorAt('slug')}
          >
            {(control) => (
              <Input
                {...control}
                spellCheck={false}
                value={draft.slug}
                onChange={(event) => form.change({ slug: event.target.value })}
              />
            )}
          </Field>
          <Field
            id="harness"
            label="Agent"
            hint={agents.flatMap(({ needs }) => needs || []).join(' ')}
          >
            {(control) => (
              <AgentSelect
                {...control}
                agents={agents}
                value={config.harness}
                onChoose={({ name, tierModels }) =>
                  form.configure(withAgent(config, name, tierModels))
                }
              />
            )}
          </Field>
          <Field
            id="runnerPool"
            label="Runner pool"
            hint="Runners in this pool run this project’s chains."
            error={errorAt('runnerPool')}
          >
            {(control) => (
              <>
                <Input
                  {...control}
                  list="runner-pools"
                  value={config.runnerPool}
                  onChange={(event) => form.configure({ runnerPool: event.target.value })}
                />
                <datalist id="runner-pools">
                  {pools.map((pool) => (
                    <option key={pool} value={pool} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        </div>
      </Card>
      <Card title="Dry run">
        <SwitchRow
          id="dryRun"
          label="Observe only"
          hint={
            isDryRunForced
              ? 'Locked: CLAUDEOPS_DRY_RUN is set, so no project of this installation escalates.'
              : 'Tier 1 keeps running, and each suppressed escalation is recorded as an event. Running chains are affected from their next tier on.'
          }
          isOn={isDryRunForced || config.dryRun}
          isLocked={isDryRunForced || refusal !== null}
          onChange={(dryRun) => form.configure({ dryRun })}
        />
      </Card>
      <Card title="Instructions">
        <Field
          id="instructions"
          label="Instructions for the agent"
          isOptional
          hint="Sent to the agent at every start: what the system is and what to leave alone."
          error={errorAt('instructions')}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={6}
              maxLength={4_000}
              value={config.instructions}
              onChange={(event) => form.configure({ instructions: event.target.value })}
            />
          )}
        </Field>
        <p className="mt-1 text-right text-meta text-text-3 tabular-nums">
          {config.instructions.length.toLocaleString('en')} of 4,000 characters
        </p>
      </Card>
      <SecretsEditor
        secrets={config.secrets}
        isLocked={refusal !== null}
        onChange={(secrets) => form.configure({ secrets })}
        errorAt={errorAt}
      />
    </SettingsForm>
  );
}
