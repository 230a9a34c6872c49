'use client';

import { Plus } from 'lucide-react';
import { useEffect, useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { reportChange } from '@/app/_components/live/report-change';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { PendingButton, Spinner } from '@/app/_components/ui/spinner';
import type { AgentInfo } from '@/lib/agents/registry';
import type { EnrolmentDto } from '@/lib/fleet/schema';
import { createEnrolment } from '../actions';
import { limitsOf, TIERS, type TiersAndSlots, TiersAndSlotsFields } from './tiers-and-slots';

/** The runners on the page; grows while the dialog is open. */
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
        pool: fixedPool ?? pool,
        ...limitsOf(limits),
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
          hint="Each project uses one pool. A new name creates a new pool."
          error={errors.pool}
        >
          <Input
            list="enrolment-pools"
            value={pool}
            onChange={(event) => setPool(event.target.value)}
          />
          <datalist id="enrolment-pools">
            {pools.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </Field>
      ) : null}
      <TiersAndSlotsFields
        value={limits}
        onChange={setLimits}
        slotsHint="Maximum concurrent attempts. Leave empty to use the runner’s own setting (4 by default)."
        errors={errors}
      />
      <FormProblem text={errors.other} />
      <PendingButton
        look={fixedPool === undefined ? 'primary' : 'secondary'}
        isPending={isPending}
        onClick={create}
        className="self-start"
      >
        Show the command
      </PendingButton>
    </div>
  );
}

interface AddRunnerProps {
  organizationSlug: string;
  pools: readonly string[];
  runners: readonly KnownRunner[];
  agents: readonly Pick<AgentInfo, 'uses'>[];
}

/** From pool and tiers to one command; turns to "Connected" while it is open. */
export function AddRunner(props: AddRunnerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title="Add runner"
      description="A runner is a small process on your host that starts the agent. It only makes outgoing connections."
      trigger={
        <Button look="primary" icon={Plus}>
          Add runner
        </Button>
      }
    >
      <Enrolment {...props} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

/** The page updates automatically; this finds the runner even if its stream is broken. */
const LOOK_MS = 3_000;

interface EnrolmentCommandProps {
  token: Pick<EnrolmentDto, 'id' | 'command' | 'serviceCommand' | 'checkoutCommand' | 'expiresAt'>;
  runners: readonly KnownRunner[];
  agents: readonly Pick<AgentInfo, 'uses'>[];
  onDone?: (() => void) | undefined;
}

type Form = 'service' | 'here' | 'checkout';

const FORMS: readonly { value: Form; label: string }[] = [
  { value: 'here', label: 'In a terminal' },
  { value: 'service', label: 'systemd service' },
  { value: 'checkout', label: 'Checkout' },
];

const EXPLANATIONS: Record<Form, string> = {
  service:
    'Run this on the host, as the account that the agent may use and in a folder of its own. The host needs Node 20.19 or newer and systemd. The line verifies the program before it runs, and installs it as a service of that account.',
  here: 'Run this on the host, as the account that the agent may use and in a folder of its own. The host needs Node 20.19 or newer. The line verifies the program before it runs, and the runner ends with the terminal.',
  checkout:
    'Run this on the host, in a checkout of Tierwatch (Node 20.19 or newer, npm ci). The runner is updated with the checkout.',
};

/** Shows the command with its token once, and reports when the runner is connected. */
function EnrolmentCommand({ token, runners, agents, onDone }: EnrolmentCommandProps) {
  const joined = runners.find((runner) => runner.enrolmentId === token.id);
  const isConnected = joined?.isOnline ?? false;
  const [form, setForm] = useState<Form>('here');
  const { serviceCommand: service, command: here, checkoutCommand: checkout } = token;
  const command = { service, here, checkout }[form];

  useEffect(() => {
    if (isConnected) return;
    const timer = setInterval(reportChange, LOOK_MS);
    return () => clearInterval(timer);
  }, [isConnected]);

  return (
    <div className="flex flex-col gap-3">
      {isConnected ? null : (
        <>
          <SegmentedChoice
            label="How the runner is run"
            name="enrolment-form"
            choices={FORMS}
            value={form}
            onChange={setForm}
          />
          <p className="text-text-2">
            {EXPLANATIONS[form]} The token registers one runner, is shown only once and expires{' '}
            <Time at={token.expiresAt} />. No inbound port is needed.
          </p>
          <CodeBlock label="command" value={command}>
            {command}
          </CodeBlock>
          <p className="text-text-2 text-ui">
            {agents.flatMap(({ uses }) => uses || []).join(' ')}{' '}
            {form === 'service'
              ? 'Set them before you run the line: the service keeps them.'
              : 'The same command starts the runner again later; the key is kept on the host.'}
          </p>
          <p className="text-text-2 text-ui">
            To run agents in a sandbox, the host also needs bubblewrap:{' '}
            <code>apt install bubblewrap</code>, before or after. The runner’s page says whether it
            works.
          </p>
        </>
      )}
      <div role="status" className="flex min-h-8 flex-wrap items-center gap-2 text-ui">
        {isConnected && joined ? (
          <>
            <StatusBadge kind="runner" state="online" />
            <span>
              Connected: {joined.name}, pool {joined.pool}, just now
            </span>
          </>
        ) : joined ? (
          <>
            <Spinner />
            <span className="text-text-2">
              {joined.name} is enrolled. Waiting for its first heartbeat.
            </span>
          </>
        ) : (
          <>
            <Spinner />
            <span className="text-text-2">Waiting for the runner.</span>
          </>
        )}
      </div>
      {onDone && isConnected ? (
        <Button look="primary" onClick={onDone} className="self-start">
          Done
        </Button>
      ) : null}
    </div>
  );
}
