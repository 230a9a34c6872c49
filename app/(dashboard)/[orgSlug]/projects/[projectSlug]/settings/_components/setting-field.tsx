'use client';

import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/app/_components/ui/button';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { Switch } from '@/app/_components/ui/switch';
import { settingPath } from '@/lib/projects/difference';
import { isBelow } from '@/lib/projects/sections';
import type { Control } from '@/lib/projects/setting';
import type { ShownSettings } from '@/lib/projects/settings';
import type { Tier } from '@/lib/protocol/spec';
import { newItem } from './draft';
import { RuleList } from './rule-list';
import { parentOf, SettingInput } from './setting-input';
import { noteBelow, noteBeside } from './setting-notes';
import { type SettingProps, useSetting, useSettings } from './settings-context';

interface SettingFieldProps extends SettingProps {
  /** Instead of the entry's. */
  hint?: ReactNode;
  error?: string | undefined;
}

type OfKind<Kind extends Control['kind']> = SettingFieldProps & {
  control: Control & { kind: Kind };
};

/** A setting with the control that its entry names. */
export function SettingField(props: SettingFieldProps) {
  const { path, form } = props;
  const { control } = useSetting(path);
  if (!control) throw new Error(`${path} has no control.`);
  const note = noteBelow(settingPath(path), form.draft.config);
  return (
    <>
      <OfControl {...props} control={control} />
      {note ? <p className="col-span-full max-w-prose text-text-2 text-ui">{note}</p> : null}
    </>
  );
}

function OfControl({ control, ...props }: SettingFieldProps & { control: Control }) {
  switch (control.kind) {
    case 'switch':
      return <SwitchSetting {...props} />;
    case 'choice':
      return <ChoiceSetting {...props} control={control} />;
    case 'tiers':
      return <TiersSetting {...props} />;
    case 'rules':
      return <RulesSetting {...props} control={control} />;
    case 'list':
      return <ListSetting {...props} control={control} />;
    case 'span':
      return control.toggle ? (
        <ToggledSpan {...props} control={control} />
      ) : (
        <InputSetting {...props} control={control} />
      );
    default:
      return <InputSetting {...props} control={control} />;
  }
}

function useShown({ path, form, facts, hint, error = form.errorAt(path) }: SettingFieldProps) {
  const entry = useSetting(path);
  const forced = facts.forced?.[path];
  const value = forced ? forced.value : form.valueAt(path);
  const hints = [facts.hints?.[path], entry.hint, meaningOf(entry.control, value)];
  return {
    label: entry.label,
    hint: hint ?? forced?.why ?? (hints.filter(Boolean).join(' ') || undefined),
    isForced: forced !== undefined,
    value,
    error,
    set: (value: unknown) => form.set(path, value),
  };
}

function meaningOf(control: Control | undefined, value: unknown): string | undefined {
  if (control?.kind !== 'select') return undefined;
  return control.choices.find((each) => each.value === value)?.meaning;
}

const WIDTHS: Partial<Record<Control['kind'], string>> = {
  text: 'min-w-40 flex-1 basis-40',
  'time-zone': 'min-w-48 flex-1 basis-48',
  agent: 'min-w-52 flex-1 basis-52',
};

/** A control with its label above it. */
function InputSetting(props: SettingFieldProps & { control: Control }) {
  const { path, control } = props;
  const { label, hint, value, error, set } = useShown(props);
  const note = noteBeside(settingPath(path), value);
  const input = <SettingInput {...props} {...{ value, set }} />;
  return (
    <Field
      id={path}
      label={label}
      hint={hint}
      error={error}
      isOptional={control.kind === 'long-text'}
      className={WIDTHS[control.kind]}
    >
      {note ? (
        <div className="flex flex-wrap items-center gap-3">
          {input}
          <span className="text-text-2 text-ui tabular-nums">{note}</span>
        </div>
      ) : (
        input
      )}
    </Field>
  );
}

/** A switch with its words at its left, as one line. */
function SwitchSetting(props: SettingFieldProps) {
  const { label, hint, value, isForced, set } = useShown(props);
  return (
    <SwitchRow
      id={props.path}
      label={label}
      hint={hint}
      isOn={value === true}
      isLocked={isForced || props.facts.isLocked}
      onChange={set}
    />
  );
}

interface SwitchRowProps {
  id: string;
  label: string;
  hint: ReactNode;
  isOn: boolean;
  isLocked: boolean;
  onChange: (isOn: boolean) => void;
}

function SwitchRow({ id, label, hint, isOn, isLocked, onChange }: SwitchRowProps) {
  return (
    <div className="col-span-full flex items-start justify-between gap-4">
      <div className="flex flex-col gap-0.5">
        <label htmlFor={id} className="font-medium text-ui">
          {label}
        </label>
        <p id={`${id}-hint`} className="max-w-prose text-text-2 text-ui">
          {hint}
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={isOn}
        disabled={isLocked}
        onCheckedChange={onChange}
      />
    </div>
  );
}

/** A time that a switch turns off. */
function ToggledSpan({ control, ...props }: OfKind<'span'>) {
  const { path, form, facts } = props;
  const { toggle } = control;
  const isOn = form.valueAt(path) !== null;
  if (!toggle) return null;
  return (
    <>
      <SwitchRow
        id={`${path}.switch`}
        label={toggle.label}
        hint={toggle.hint}
        isOn={isOn}
        isLocked={facts.isLocked}
        onChange={(next) => form.set(path, next ? toggle.value : null)}
      />
      {isOn ? <InputSetting {...props} control={control} /> : null}
    </>
  );
}

/** One of a few values, with a sentence about the chosen one beside it. */
function ChoiceSetting({ control: { choices }, ...props }: OfKind<'choice'>) {
  const { label, value, set } = useShown(props);
  const chosen = choices.find((each) => each.value === value);
  return (
    <div className="col-span-full flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="w-32 font-medium text-ui">{label}</span>
      <SegmentedChoice
        label={label}
        name={props.path}
        choices={choices.map((each) => ({ value: String(each.value), label: each.label }))}
        value={String(value)}
        onChange={(next) => set(choices.find((each) => String(each.value) === next)?.value)}
        className="self-center"
      />
      <p className="min-w-56 flex-1 text-text-2 text-ui">{chosen?.meaning}</p>
    </div>
  );
}

const TIERS: readonly Tier[] = [1, 2, 3];

function TiersSetting(props: SettingFieldProps) {
  const { value, set } = useShown(props);
  const chosen = value as readonly Tier[];
  return (
    <div className="flex h-control items-center gap-3">
      {TIERS.map((tier) => (
        <CheckboxField
          key={tier}
          label={`Tier ${tier}`}
          checked={chosen.includes(tier)}
          onChange={(event) =>
            set(
              TIERS.filter((each) =>
                each === tier ? event.target.checked : chosen.includes(each),
              ),
            )
          }
        />
      ))}
    </div>
  );
}

function RulesSetting({ control, ...props }: OfKind<'rules'>) {
  const { path, form, facts } = props;
  const { label, hint, value, error, set } = useShown(props);
  const { name } = form.valueAt(parentOf(path)) as { name?: string };
  return (
    <div className="basis-full">
      <RuleList
        path={path}
        label={name ? `${label} (${name})` : label}
        hint={String(hint ?? '')}
        placeholder={control.placeholder}
        rules={value as string[]}
        isLocked={facts.isLocked}
        onChange={set}
        error={error}
      />
    </div>
  );
}

/** Rows that can be added and removed, each with the settings of its item. */
function ListSetting({ control, ...props }: OfKind<'list'>) {
  const { path, form } = props;
  const { value, error, set } = useShown(props);
  const settings = useSettings();
  const items = value as readonly { name?: string }[];
  const own = settingPath(path);
  const names = Object.keys(settings).flatMap((each) =>
    each.startsWith(`${own}.`) ? [each.slice(own.length + 1)] : [],
  );
  const isWide = (name: string) => settings[`${own}.${name}`]?.control?.kind === 'rules';
  return (
    <div className="col-span-full flex flex-col gap-4">
      {items.map((item, index) => {
        const note = noteBeside(own, item);
        const fields = (shown: readonly string[]) =>
          shown.map((name) => (
            <SettingField key={name} {...props} path={`${path}.${index}.${name}`} />
          ));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may be empty or twice while they are typed
          <div key={index} className="flex flex-wrap items-end gap-x-3 gap-y-2">
            {fields(names.filter((name) => !isWide(name)))}
            {note ? (
              <p className="flex h-control min-w-0 flex-1 items-center text-text-2 text-ui">
                {note}
              </p>
            ) : null}
            <Button
              look="quiet"
              size="icon"
              aria-label={`Remove ${item.name || control.row}${note && `: ${note}`}`}
              onClick={() => set(items.filter((_, at) => at !== index))}
            >
              <Trash2 aria-hidden />
            </Button>
            {fields(names.filter(isWide))}
          </div>
        );
      })}
      <FormProblem text={error} />
      {items.length < (control.most ?? Number.POSITIVE_INFINITY) ? (
        <Button
          size="sm"
          onClick={() => set([...items, newItem(own, form.draft.config)])}
          className="self-start"
          icon={Plus}
        >
          {control.add}
        </Button>
      ) : null}
    </div>
  );
}

/** The paths of a setting's control, or of those below it; a list is one of its own. */
export function settingsBelow(settings: ShownSettings, path: string): string[] {
  const all = Object.keys(settings).filter(
    (each) => settings[each]?.control && isBelow(each, path),
  );
  return all.includes(path) ? [path] : all;
}
