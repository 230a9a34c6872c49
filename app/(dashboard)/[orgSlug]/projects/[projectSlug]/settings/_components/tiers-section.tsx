'use client';

import { useRouter } from 'next/navigation';
import { TierMark } from '@/app/_components/status/tier-mark';
import { Card } from '@/app/_components/ui/card';
import { ArgvBlock, argvLines, CodeBlock } from '@/app/_components/ui/code-block';
import { DocLink } from '@/app/_components/ui/doc-link';
import { TextLink } from '@/app/_components/ui/link';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { Skeleton } from '@/app/_components/ui/skeleton';
import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { AgentInfo } from '@/lib/agents/registry';
import type { PauseDto } from '@/lib/identity/pauses';
import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import type { Tier } from '@/lib/protocol/spec';
import { previewTier } from '../actions';
import { LeakingRulesNotice } from './leaking-rules-notice';
import { SettingField } from './setting-field';
import { SettingsForm } from './settings-form';
import { type ShippedPrompt, TierPrompt } from './tier-prompt';
import { TierRules, TryCommand } from './tier-rules';
import { TierPause, TierSwitch } from './tier-switch';
import { type SectionProps, useDraft } from './use-draft';

interface TiersSectionProps extends SectionProps {
  tier: Tier;
  /** The reader came to switch this tier on: its question is open. */
  isSwitchingOn: boolean;
  /** `…/settings/tiers`; the tier is its query. */
  href: string;
  /** The prompts that ship with the product, by tier. */
  shippedPrompts: Record<Tier, ShippedPrompt>;
  /** Version of the CLI on a runner in the pool; null if none has reported. */
  cliVersion: string | null;
  agents: readonly AgentInfo[];
  tierPauses: readonly (PauseDto & { tier: Tier })[];
  /** Why the reader may not pause. */
  pauseRefusal: Refusal;
}

const LIMITS = [
  'model',
  'maxTurns',
  'timeoutSeconds',
  'stallSeconds',
  'maxBudgetUsd',
  'contextWindow',
] as const;

type Tiers = [TierPolicy, TierPolicy, TierPolicy];

export function TiersSection(props: TiersSectionProps) {
  const { organizationSlug, saved, refusal, tier, href, shippedPrompts, cliVersion, agents } =
    props;
  const { tierPauses, pauseRefusal, isSwitchingOn } = props;
  const form = useDraft(organizationSlug, saved, ['isolation', 'maxTier', 'tiers']);
  const { config } = form.draft;
  const isLocked = refusal !== null;
  const field = { form, facts: { agents, isLocked } };
  const policy = config.tiers[tier - 1] ?? config.tiers[0];

  function edit(changes: Partial<TierPolicy>) {
    form.configure(({ tiers }) => ({
      tiers: tiers.map((each) => (each.tier === tier ? { ...each, ...changes } : each)) as Tiers,
    }));
  }

  /** A higher tier needs those below it, so a switch moves its neighbours; the maximum follows. */
  function switchTo(highest: Tier) {
    form.configure(({ tiers }) => ({
      maxTier: highest,
      tiers: tiers.map((each) => ({ ...each, isEnabled: each.tier <= highest })) as Tiers,
    }));
  }

  return (
    <SettingsForm
      form={form}
      refusal={refusal}
      above={
        <>
          <LeakingRulesNotice
            organizationSlug={organizationSlug}
            project={saved.slug}
            version={saved.version}
            config={saved.config}
            refusal={refusal}
          />
          <Card
            title="All tiers"
            actions={<DocLink to="tiers-and-policies#isolation">What isolation does</DocLink>}
          >
            <fieldset disabled={isLocked}>
              <SettingField path="isolation" {...field} />
            </fieldset>
            {config.isolation === saved.config.isolation ? null : (
              <p role="status" className="mt-1 text-text-2 text-ui">
                Agents start with a new, empty work folder, and conversations from before are handed
                off instead of resumed. The rules stay as they are: check them in each tier.
              </p>
            )}
          </Card>
          <TierTabs tier={tier} href={href} tiers={config.tiers} maxTier={config.maxTier} />
          <TierPause
            organizationSlug={organizationSlug}
            project={saved.slug}
            tier={tier}
            pause={tierPauses.find((pause) => pause.tier === tier) ?? null}
            refusal={pauseRefusal}
          />
        </>
      }
      aside={
        <TierPreview
          organizationSlug={organizationSlug}
          name={form.draft.name}
          config={config}
          savedConfig={form.base.config}
          tier={tier}
          cliVersion={cliVersion}
        />
      }
    >
      <Card
        title={<TierMark tier={tier} form="long" size="md" />}
        actions={
          <TierSwitch
            key={tier}
            tiers={config.tiers}
            isolation={config.isolation}
            maxTier={config.maxTier}
            tier={tier}
            isLocked={isLocked}
            isAskedFirst={isSwitchingOn}
            onChange={switchTo}
          />
        }
      >
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap gap-x-4 gap-y-3">
            {LIMITS.map((name) => (
              <SettingField key={name} path={`tiers.${tier - 1}.${name}`} {...field} />
            ))}
          </div>
          <SettingField
            path={`tiers.${tier - 1}.requiresApproval`}
            {...field}
            hint={
              <>
                Retries are starts, too. Who decides, and for how long a start waits, is set under{' '}
                <TextLink href={`${href.replace(/tiers$/, 'thresholds')}#approvals`}>
                  Thresholds
                </TextLink>
                .
              </>
            }
          />
        </div>
      </Card>
      <TierRules
        policy={policy}
        isolation={config.isolation}
        services={form.draft.config.services}
        isLocked={isLocked}
        onChange={edit}
        errorAt={form.errorAt}
      />
      <TryCommand policy={policy} config={config} />
      <TierPrompt
        policy={policy}
        shipped={shippedPrompts[tier]}
        isLocked={isLocked}
        onChange={(prompt) => edit({ prompt })}
        error={form.errorAt(`tiers.${tier - 1}.prompt`)}
      />
    </SettingsForm>
  );
}

interface TierTabsProps {
  tier: Tier;
  href: string;
  tiers: readonly TierPolicy[];
  maxTier: Tier;
}

const NAMES: Record<Tier, '1' | '2' | '3'> = { 1: '1', 2: '2', 3: '3' };

/** Which tier is edited; kept in the address. No link, so that an unsaved draft stays. */
function TierTabs({ tier, href, tiers, maxTier }: TierTabsProps) {
  const router = useRouter();
  return (
    <SegmentedChoice
      label="Tier"
      name="shown-tier"
      value={NAMES[tier]}
      choices={tiers.map((policy) => ({
        value: NAMES[policy.tier],
        label:
          policy.isEnabled && policy.tier <= maxTier
            ? `Tier ${policy.tier}`
            : `Tier ${policy.tier}, off`,
      }))}
      onChange={(next) => router.replace(`${href}?tier=${next}`, { scroll: false })}
    />
  );
}

interface TierPreviewProps {
  organizationSlug: string;
  name: string;
  config: ProjectConfig;
  /** The active configuration; lines that differ from it are marked. */
  savedConfig: ProjectConfig;
  tier: Tier;
  cliVersion: string | null;
}

/** Exactly what a start of this tier would run, with this draft. */
function TierPreview({ config, savedConfig, ...about }: TierPreviewProps) {
  const drafted = useServerPreview(previewTier, { ...about, config });
  const saved = useServerPreview(previewTier, { ...about, config: savedConfig });
  const lines = drafted ? argvLines(drafted.argv) : [];
  const before = new Set(saved ? argvLines(saved.argv) : lines);
  const changed = new Set(lines.flatMap((line, index) => (before.has(line) ? [] : [index])));
  return (
    <Card
      title="Command preview"
      note={changed.size > 0 ? 'with your changes' : undefined}
      className="xl:sticky xl:top-16"
    >
      {drafted ? (
        <div className="flex flex-col gap-3">
          <ArgvBlock argv={drafted.argv} changedLines={changed} />
          <details>
            <summary className="w-fit cursor-pointer text-link text-ui">Prompt, by stdin</summary>
            <CodeBlock label="prompt" value={drafted.prompt} className="mt-2">
              {drafted.prompt}
            </CodeBlock>
          </details>
          <details>
            <summary className="w-fit cursor-pointer text-link text-ui">
              System prompt, by file
            </summary>
            <CodeBlock label="system prompt" value={drafted.systemPrompt} className="mt-2">
              {drafted.systemPrompt}
            </CodeBlock>
          </details>
          <p className="text-meta text-text-3">
            Paths and ids are those of the runner at the start; words in angle brackets stand for
            them.
          </p>
        </div>
      ) : (
        <Skeleton className="h-80 w-full" />
      )}
    </Card>
  );
}
