'use client';

import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import type { Isolation } from '@/lib/protocol/confinement';

const HINTS: Record<Isolation, string> = {
  confined:
    'Agents of every tier and of Ask run in a sandbox. On a host that can’t confine them, nothing of this project starts.',
  open: 'Agents run unconfined, with the rights of the runner’s account. Only the CLI’s own rules limit them.',
};

interface IsolationCardProps {
  isolation: Isolation;
  /** What is saved. After a change, agents start with empty folders. */
  saved: Isolation;
  isLocked: boolean;
  onChange: (isolation: Isolation) => void;
  error: string | undefined;
}

/** The project's isolation: one setting for all tiers. */
export function IsolationCard({ isolation, saved, isLocked, onChange, error }: IsolationCardProps) {
  return (
    <Card
      title="All tiers"
      actions={<DocLink to="tiers-and-policies#isolation">What isolation does</DocLink>}
    >
      <Field id="isolation" label="Isolation" hint={HINTS[isolation]} error={error}>
        {(control) => (
          <>
            <Select
              {...control}
              value={isolation}
              disabled={isLocked}
              onChange={(event) => onChange(event.target.value as Isolation)}
              className="w-40"
            >
              <option value="confined">Confined</option>
              <option value="open">Open</option>
            </Select>
            {isolation === saved ? null : (
              <p role="status" className="text-text-2 text-ui">
                Agents start with a new, empty work folder, and conversations from before are handed
                off instead of resumed. The rules stay as they are: check them in each tier.
              </p>
            )}
          </>
        )}
      </Field>
    </Card>
  );
}
