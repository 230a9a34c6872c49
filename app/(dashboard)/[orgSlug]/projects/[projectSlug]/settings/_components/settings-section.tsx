'use client';

import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '@/app/_components/ui/card';
import { cn } from '@/app/_components/ui/cn';
import { DocLink } from '@/app/_components/ui/doc-link';
import { Field } from '@/app/_components/ui/field';
import { useEarlyInput } from '@/app/_components/ui/use-early-input';
import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import { NumberInput } from '@/app/(dashboard)/[orgSlug]/projects/_components/number-input';
import { ScheduleFields } from '@/app/(dashboard)/[orgSlug]/projects/_components/schedule-fields';
import { SchedulePreview } from '@/app/(dashboard)/[orgSlug]/projects/_components/schedule-preview';
import { previewSchedule } from '@/app/(dashboard)/[orgSlug]/projects/actions';
import { formatCounted, formatTokens } from '@/lib/platform/format/count';
import { cardsOf, type SectionKey, type SettingsCard } from '@/lib/projects/sections';
import { withAgent } from '@/lib/projects/tier-models';
import type { DraftKey } from './draft';
import { MaintenanceEditor } from './maintenance-editor';
import { SettingField, settingsBelow } from './setting-field';
import { type SettingFacts, type SettingProps, useSetting, useSettings } from './settings-context';
import { SettingsForm } from './settings-form';
import { type DraftForm, type SectionProps, useDraft } from './use-draft';

interface ContextThresholdFacts {
  /** Context use at each escalation of the last 30 days; null where it is not known. */
  contextShares: readonly (number | null)[];
}

interface ContextThresholdProps extends SettingProps {
  facts: SettingFacts & Partial<ContextThresholdFacts>;
}

function ContextThreshold({ path, form, facts }: ContextThresholdProps) {
  const { label, hint } = useSetting(path);
  const slider = useEarlyInput<HTMLInputElement>(undefined);
  const forced = facts.forced?.[path];
  const shown = (forced?.value ?? form.valueAt(path)) as number;
  const isNumber = shown > 0 && shown <= 1;
  return (
    <div className="flex flex-col gap-3">
      <Field id={path} label={label} hint={hint} error={form.errorAt(path)}>
        <div className="flex flex-wrap items-center gap-4">
          <NumberInput
            disabled={forced !== undefined}
            value={shown}
            onChange={(next) => form.set(path, next ?? Number.NaN)}
          />
          <input
            ref={slider}
            type="range"
            aria-label={`${label}, as a slider`}
            min={0.05}
            max={1}
            step={0.05}
            disabled={forced !== undefined}
            value={isNumber ? shown : 0.8}
            onChange={(event) => form.set(path, Number(event.target.value))}
            className="h-6 min-w-48 flex-1 accent-ink disabled:opacity-50"
          />
        </div>
      </Field>
      {forced ? (
        <p className="flex items-center gap-2 text-ui">
          <Lock aria-hidden className="size-4 text-text-3" />
          {forced.why}
        </p>
      ) : null}
      {isNumber ? (
        <p role="status" className="text-text-2">
          {thresholdSentence(shown, facts.contextShares ?? [])}
        </p>
      ) : null}
    </div>
  );
}

const WINDOW = 200_000;

/**
 * "At 0.80, chains hand off above 160k of 200k tokens. In the last 30 days: 3 of 41 escalations."
 * `shares` are the context uses at those escalations; one that is not known counts as none above.
 */
export function thresholdSentence(threshold: number, shares: readonly (number | null)[]): string {
  const tokens = formatTokens(Math.round(threshold * WINDOW));
  const effect = `At ${threshold.toFixed(2)}, chains hand off above ${tokens} of ${formatTokens(WINDOW)} tokens.`;
  if (shares.length === 0) return `${effect} No chain has escalated in the last 30 days.`;
  const above = shares.filter((share) => share !== null && share > threshold).length;
  const escalations = formatCounted(shares.length, 'escalation');
  return `${effect} In the last 30 days: ${above} of ${escalations}.`;
}

/** The schedule, and when its next chains start. */
function ScheduleEditor({ form }: SettingProps) {
  const { organizationSlug } = form;
  const { schedule } = form.draft.config;
  const preview = useServerPreview(previewSchedule, { organizationSlug, schedule });
  return (
    <div className="flex flex-col gap-6">
      <ScheduleFields
        schedule={schedule}
        onChange={(next) => form.configure(() => ({ schedule: next }))}
        errorAt={form.errorAt}
      />
      <SchedulePreview preview={preview} projectZone={schedule.timeZone} />
    </div>
  );
}

interface SettingsSectionProps extends SectionProps {
  section: SectionKey;
  facts: Omit<SectionFacts, 'isLocked'>;
}

interface SectionFacts extends SettingFacts, Partial<ContextThresholdFacts> {}

/** A section of the settings, made from their entries. */
export function SettingsSection(props: SettingsSectionProps) {
  const { section, organizationSlug, saved, refusal } = props;
  const facts = { ...props.facts, isLocked: refusal !== null };
  const cards = cardsOf(section);
  const paths = cards.flatMap(({ settings }) => [...settings]);
  const keys = paths.map((path) => path.split('.')[0] as DraftKey);
  const form = useDraft(organizationSlug, saved, keys, (config, { harness }) => {
    // The models of the tiers follow the agent, even if someone else changed the tiers in the
    // meantime.
    const chosen = facts.agents.find(({ name }) => name === harness);
    const isChosenHere = paths.includes('harness') && chosen;
    return isChosenHere ? withAgent(config, harness, chosen.tierModels) : config;
  });
  return (
    <SettingsForm form={form} refusal={refusal}>
      {cards.map((card) => (
        <CardOfSettings key={card.title} card={card} form={form} facts={facts} />
      ))}
    </SettingsForm>
  );
}

const COLUMNS = { 1: '', 2: 'grid-cols-2', 3: 'grid-cols-3' };

interface CardOfSettingsProps {
  card: SettingsCard;
  form: DraftForm;
  facts: SectionFacts;
}

function CardOfSettings({ card, form, facts }: CardOfSettingsProps) {
  const { id, title, intro, doc, columns = 1 } = card;
  const settings = useSettings();
  const paths = card.settings
    .flatMap((path) => settingsBelow(settings, path))
    .filter((path) => {
      const { shownWith } = settings[path] ?? {};
      return !shownWith || form.valueAt(shownWith) !== null;
    });
  if (paths.length === 0) return null;
  return (
    <Card
      {...(id ? { id, className: 'scroll-mt-18' } : {})}
      title={title}
      actions={doc ? <DocLink to={doc.to}>{doc.text}</DocLink> : null}
    >
      <div className={cn('grid items-start gap-x-4 gap-y-5 max-md:grid-cols-1', COLUMNS[columns])}>
        {intro ? <p className="col-span-full max-w-prose text-text-2 text-ui">{intro}</p> : null}
        {paths.map((path) => {
          const Editor = EDITORS[path] ?? SettingField;
          return <Editor key={path} path={path} form={form} facts={facts} />;
        })}
      </div>
    </Card>
  );
}

type Editor = (props: { path: string; form: DraftForm; facts: SectionFacts }) => ReactNode;

/** Of the settings that need more than a control. */
const EDITORS: Readonly<Record<string, Editor>> = {
  contextThreshold: ContextThreshold,
  schedule: ScheduleEditor,
  maintenance: MaintenanceEditor,
};
