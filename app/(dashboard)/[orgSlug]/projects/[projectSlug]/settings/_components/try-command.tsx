'use client';

import { CircleCheck, ShieldX } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useId, useState } from 'react';
import { loadPart } from '@/app/_components/reach/load-part';
import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { type Trial, tryCommand } from '@/lib/projects/rules/try-command';
import type { TierPolicy } from '@/lib/projects/schema';
import type { Isolation } from '@/lib/protocol/confinement';
import type { ServiceSpec } from '@/lib/protocol/spec';

/** With the catalog of programs, which the page needs for nothing else. */
const BrokeredVerdicts = dynamic(
  async () => (await loadPart(() => import('./brokered-verdicts'))).BrokeredVerdicts,
  { loading: () => null },
);

const VERDICTS: Record<Trial['verdict'], string> = {
  allowed: 'Allowed',
  denied: 'Denied',
  refused: 'Refused',
};

const HINTS: Record<Isolation, string> = {
  off: 'Nothing is run. This is a prediction; the agent’s own matcher decides.',
  preferred:
    'Nothing is run. The command broker decides in the same way; on a host that can’t confine the agent, its own matcher decides.',
  required: 'Nothing is run. The command broker decides in the same way.',
};

/** What would become of a command under the rules as they stand in the form, saved or not. */
export function TryCommand({
  policy,
  services,
}: {
  policy: TierPolicy;
  services: readonly ServiceSpec[];
}) {
  const id = useId();
  const [command, setCommand] = useState('');
  const isEmpty = command.trim() === '';
  const isConfined = policy.isolation !== 'off';
  return (
    <Card title="Try a command">
      <Field
        id={id}
        label={`Under the rules of tier ${policy.tier}`}
        hint={HINTS[policy.isolation]}
      >
        {(control) => (
          <Input
            {...control}
            spellCheck={false}
            autoComplete="off"
            placeholder="docker restart payments-db && docker ps"
            value={command}
            onChange={(event) => setCommand(event.target.value)}
            className="font-mono text-code"
          />
        )}
      </Field>
      <div role="status" className="mt-3 min-h-6 text-ui">
        {isEmpty ? null : isConfined ? (
          <BrokeredVerdicts policy={policy} command={command} services={services} />
        ) : (
          <Verdict trial={tryCommand(policy, command, services)} />
        )}
      </div>
    </Card>
  );
}

function Verdict({ trial }: { trial: Trial }) {
  const isAllowed = trial.verdict === 'allowed';
  const Icon = isAllowed ? CircleCheck : ShieldX;
  return (
    <>
      <p className="flex items-start gap-1.5">
        <Icon
          aria-hidden
          className={`mt-0.5 size-4 shrink-0 ${isAllowed ? 'text-ok-mark' : 'text-wait-mark'}`}
        />
        <span className="min-w-0 break-words">
          <strong className={isAllowed ? 'text-ok-fg' : 'text-wait-fg'}>
            {VERDICTS[trial.verdict]}.
          </strong>{' '}
          {trial.why}
        </span>
      </p>
      {trial.notes.map((note) => (
        <p key={note} className="mt-1 break-words text-wait-fg">
          {note}
        </p>
      ))}
    </>
  );
}
