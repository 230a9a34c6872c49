'use client';

import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Select } from '@/app/_components/ui/input';
import {
  type OfferedProgram,
  type OfferedVerb,
  offeredPrograms,
} from '@/lib/projects/rules/catalog-offer';

const PROGRAMS = offeredPrograms();

interface ProgramCatalogProps {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Takes the rule to begin with. */
  onUse: (rule: string) => void;
}

/** The programs that rules can name: their verbs, what those do, and options that are dangerous. */
export function ProgramCatalog({ open, onOpenChange, onUse }: ProgramCatalogProps) {
  const [name, setName] = useState('docker');
  const shown = PROGRAMS.find(({ program }) => program === name);
  return (
    <Dialog
      form="sheet"
      open={open}
      onOpenChange={onOpenChange}
      title="Programs"
      description="Programs whose verbs and options Tierwatch knows. A rule for another program has to name the whole command."
    >
      <Select
        aria-label="Program"
        value={name}
        onChange={(event) => setName(event.target.value)}
        className="w-48"
      >
        {PROGRAMS.map(({ program }) => (
          <option key={program}>{program}</option>
        ))}
      </Select>
      {shown ? (
        <>
          <ul className="mt-3 divide-y divide-line border-line border-y">
            {shown.verbs.map((verb) => (
              <VerbRow key={verb.command} verb={verb} onUse={onUse} />
            ))}
          </ul>
          <DangerList dangers={shown.dangers} />
        </>
      ) : null}
    </Dialog>
  );
}

interface VerbRowProps {
  verb: OfferedVerb;
  onUse: (rule: string) => void;
}

function VerbRow({ verb, onUse }: VerbRowProps) {
  const { command, about, changes, risk, options, rule } = verb;
  return (
    <li className="flex items-start gap-3 py-2">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <code className="text-code">{command}</code>
        <p className="text-text-2 text-ui">
          {changes ? 'Changes something' : 'Only reads'}: {about}.
        </p>
        {options.length > 0 ? (
          <p className="break-words text-text-3 text-ui">
            An open rule also allows {options.join('; ')}.
          </p>
        ) : null}
        {risk ? (
          <p className="flex items-start gap-1.5 text-ui text-wait-fg">
            <TriangleAlert aria-hidden className="mt-px size-4 shrink-0 text-wait-mark" />
            Careful: it {risk}.
          </p>
        ) : null}
      </div>
      <Button aria-label={`Use ${command}`} title={rule} onClick={() => onUse(rule)}>
        Use
      </Button>
    </li>
  );
}

function DangerList({ dangers }: Pick<OfferedProgram, 'dangers'>) {
  if (dangers.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="font-medium text-ui">Dangerous options</h3>
      <p className="text-text-2 text-ui">No open rule allows them.</p>
      <dl className="mt-2 flex flex-col gap-1 text-ui">
        {dangers.map(({ option, does }) => (
          <div key={option} className="flex gap-2">
            <dt className="w-36 shrink-0">
              <code className="wrap-anywhere text-code">{option}</code>
            </dt>
            <dd className="text-text-2">{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
