'use client';

import { useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { Button } from '@/app/_components/ui/button';
import { Field } from '@/app/_components/ui/field';
import { FormProblem } from '@/app/_components/ui/form-problem';
import { Input } from '@/app/_components/ui/input';
import { Spinner } from '@/app/_components/ui/spinner';
import type { AgentInfo } from '@/lib/agents/registry';
import type { EnrolmentDto } from '@/lib/fleet/schema';
import { createEnrolment } from '../actions';
import { EnrolmentCommand } from './enrolment-command';
import { limitsOf, TIERS, type TiersAndSlots, TiersAndSlotsFields } from './tiers-and-slots';

/** What the page knows of the runners; grows while the dialog is open. */
export interface KnownRunner {
  id: string;
  name: string;
  pool: string;
  isOnline: boolean;
  /** The token that let it in. */
  enrolmentId: string | null;
}

interface EnrolmentProps {
  organizationSlug: string;
  /** Suggested names. */
  pools: readonly string[];
  runners: readonly KnownRunner[];
  agents: readonly Pick<AgentInfo, 'uses'>[];
  /** Given where the pool is chosen elsewhere. */
  fixedPool?: string;
  /** A button "Done" once the runner is there. */
  onDone?: () => void;
}

interface EnrolmentErrors {
  pool: string | null;
  tiers: string | null;
  slots: string | null;
  other: string | null;
}

const NO_ERRORS: EnrolmentErrors = { pool: null, tiers: null, slots: null, other: null };

/** Each beside what it is about. */
function errorsOf({ fields, message }: ActionError): EnrolmentErrors {
  const own = {
    pool: fields['enrolment.pool'] ?? null,
    tiers: fields['enrolment.allowedTiers'] ?? null,
    slots: fields['enrolment.slotLimit'] ?? null,
  };
  const isShown = Object.values(own).some((error) => error !== null);
  return { ...own, other: isShown ? null : message };
}

export function Enrolment(props: EnrolmentProps) {
  const { organizationSlug, pools, runners, agents, fixedPool, onDone } = props;
  const [pool, setPool] = useState(fixedPool ?? pools[0] ?? 'default');
  const [limits, setLimits] = useState<TiersAndSlots>({ tiers: TIERS, slots: '' });
  const [token, setToken] = useState<EnrolmentDto | null>(null);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [isPending, startTransition] = useTransition();

  function create() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await createEnrolment({
        organizationSlug,
        enrolment: { pool: fixedPool ?? pool, ...limitsOf(limits) },
      });
      if (!answer.ok) {
        setErrors(errorsOf(answer.error));
        return;
      }
      setErrors(NO_ERRORS);
      setToken(answer.data);
    });
  }

  if (token) {
    return <EnrolmentCommand token={token} runners={runners} agents={agents} onDone={onDone} />;
  }
  return (
    <div className="flex flex-col gap-4">
      {fixedPool === undefined ? (
        <Field
          id="enrolment-pool"
          label="Pool"
          hint="Projects name the pool that works for them. A new name makes a new pool."
          error={errors.pool}
        >
          {(control) => (
            <>
              <Input
                {...control}
                list="enrolment-pools"
                value={pool}
                onChange={(event) => setPool(event.target.value)}
              />
              <datalist id="enrolment-pools">
                {pools.map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      ) : null}
      <TiersAndSlotsFields
        value={limits}
        onChange={setLimits}
        slotsHint="Attempts at once. Left empty, the host says it itself, 4 by default."
        errors={errors}
      />
      <FormProblem text={errors.other} />
      <Button
        look={fixedPool === undefined ? 'primary' : 'secondary'}
        aria-disabled={isPending || undefined}
        onClick={create}
        className="self-start"
      >
        {isPending ? <Spinner /> : null} Show the command
      </Button>
    </div>
  );
}
