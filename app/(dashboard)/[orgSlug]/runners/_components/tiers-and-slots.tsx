'use client';

import { tierName } from '@/app/_components/status/tier-mark';
import { CheckboxGroup } from '@/app/_components/ui/checkbox-group';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import type { Tier } from '@/lib/protocol/spec';

export const TIERS: readonly Tier[] = [1, 2, 3];

/** As they stand in the form. */
export interface TiersAndSlots {
  tiers: readonly number[];
  /** As typed; empty: as many as the host offers. */
  slots: string;
}

/** Converts the form to the input of the control plane. */
export function limitsOf({ tiers, slots }: TiersAndSlots) {
  return {
    allowedTiers: TIERS.filter((tier) => tiers.includes(tier)),
    slotLimit: slots === '' ? null : Number(slots),
  };
}

interface TiersAndSlotsFieldsProps {
  value: TiersAndSlots;
  onChange: (value: TiersAndSlots) => void;
  slotsHint: string;
  errors: { tiers: string | null; slots: string | null };
}

/** Fields for the tiers a host may run and its slots. */
export function TiersAndSlotsFields(props: TiersAndSlotsFieldsProps) {
  const { value, onChange, slotsHint, errors } = props;
  return (
    <>
      <CheckboxGroup<number>
        legend="Tiers that may run on this host"
        choices={TIERS.map((tier) => ({ value: tier, label: tierName(tier) }))}
        chosen={value.tiers}
        onChange={(tiers) => onChange({ ...value, tiers })}
        error={errors.tiers}
      />
      <Field
        id="runner-slots"
        label="Slots"
        hint={slotsHint}
        error={errors.slots}
        isOptional
        className="max-w-80"
      >
        <Input
          inputMode="numeric"
          autoComplete="off"
          value={value.slots}
          onChange={(event) => onChange({ ...value, slots: event.target.value.trim() })}
        />
      </Field>
    </>
  );
}
