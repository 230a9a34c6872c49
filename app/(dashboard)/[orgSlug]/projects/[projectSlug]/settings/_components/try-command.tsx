'use client';

import dynamic from 'next/dynamic';
import { useId, useState } from 'react';
import { loadPart } from '@/app/_components/reach/load-part';
import { Card } from '@/app/_components/ui/card';
import { Field, Input } from '@/app/_components/ui/field';
import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import type { Isolation } from '@/lib/protocol/confinement';

/** With the catalog of programs, which the page needs for nothing else. */
const BrokeredVerdicts = dynamic(
  async () => (await loadPart(() => import('./brokered-verdicts'))).BrokeredVerdicts,
  { loading: () => null },
);

const UnconfinedVerdict = dynamic(
  async () => (await loadPart(() => import('./unconfined-verdict'))).UnconfinedVerdict,
  { loading: () => null },
);

const HINTS: Record<Isolation, string> = {
  open: 'Nothing is run. This is a prediction; the agent’s own matcher decides.',
  confined: 'Nothing is run. The command broker decides in the same way.',
};

interface TryCommandProps {
  policy: TierPolicy;
  /** The draft, saved or not. */
  config: ProjectConfig;
}

/** Whether a command would run under the rules in the form, saved or not. */
export function TryCommand({ policy, config }: TryCommandProps) {
  const id = useId();
  const [command, setCommand] = useState('');
  const isEmpty = command.trim() === '';
  const Verdict = config.isolation === 'open' ? UnconfinedVerdict : BrokeredVerdicts;
  return (
    <Card title="Try a command">
      <Field
        id={id}
        label={`Under the rules of tier ${policy.tier}`}
        hint={HINTS[config.isolation]}
      >
        <Input
          spellCheck={false}
          autoComplete="off"
          placeholder="docker restart payments-db && docker ps"
          value={command}
          onChange={(event) => setCommand(event.target.value)}
          className="font-mono text-code"
        />
      </Field>
      <div role="status" className="mt-3 min-h-6 text-ui">
        {isEmpty ? null : <Verdict policy={policy} command={command} config={config} />}
      </div>
    </Card>
  );
}
