import { TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { agentLabel } from '@/lib/agents/registry';
import { confinementProblem, confinementText, limitsText } from '@/lib/fleet/confinement';
import type { RunnerDto } from '@/lib/fleet/schema';
import type { Canary } from '@/lib/protocol/canary';

const CONTAINMENT = {
  cgroup: 'cgroup: stopping kills every process in it.',
  marker: 'By a marker in the environment: a stop reaches whatever carries it or descends from it.',
};

const DOOR = {
  https: 'Claims attempts over HTTPS; it only needs to reach this address.',
  queue: 'Claims attempts directly from the queue, with a login for this installation.',
};

interface CapabilitiesCardProps {
  runner: RunnerDto;
}

/** What the host said of itself at its last heartbeat. */
export function CapabilitiesCard({ runner }: CapabilitiesCardProps) {
  const { capabilities } = runner;
  if (!capabilities) {
    return (
      <Card title="Host" isFlush>
        <EmptyState title="It hasn’t connected yet.">
          Host details arrive with the first heartbeat. Start the runner there.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card title="Host">
      <DefinitionList
        items={[
          { term: 'Host', value: `${capabilities.hostname} · ${capabilities.platform}` },
          {
            term: 'User',
            value: capabilities.isRoot ? (
              <span className="text-wait-fg">
                {capabilities.user}: the agent’s commands run with full privileges on this host. Use
                a dedicated account.
              </span>
            ) : (
              capabilities.user
            ),
          },
          { term: 'Isolation', value: <ConfinementState capabilities={capabilities} /> },
          { term: 'Limits', value: <Limits limits={capabilities.limits} /> },
          { term: 'Stopping', value: CONTAINMENT[capabilities.containment] },
          { term: 'Runner', value: <ProgramState runner={runner} /> },
          { term: 'Work', value: DOOR[capabilities.door ?? 'queue'] },
          { term: 'Key', value: <KeyState runner={runner} /> },
          {
            term: 'Tiers',
            value: (
              <span className="flex flex-wrap gap-x-4 gap-y-1">
                {runner.allowedTiers.map((tier) => (
                  <TierMark key={tier} tier={tier >= 3 ? 3 : tier === 2 ? 2 : 1} form="long" />
                ))}
              </span>
            ),
          },
          ...capabilities.harnesses.map((harness) => ({
            term: agentLabel(harness.name),
            value: (
              <>
                {harness.version ?? 'not found'}
                {harness.account ? (
                  <span className="text-text-2">
                    {' '}
                    · account <code className="text-code">{harness.account}</code>
                  </span>
                ) : null}
                {harness.problem ? (
                  <span className={harness.isUsable ? 'text-wait-fg' : 'text-bad-fg'}>
                    {' '}
                    · {harness.problem}
                  </span>
                ) : null}
                {(harness.canaries ?? []).map((canary) => (
                  <CanaryState key={canary.mode} canary={canary} />
                ))}
              </>
            ),
          })),
        ]}
      />
    </Card>
  );
}

const MODES: Record<Canary['mode'], string> = {
  confined: 'In the sandbox',
  open: 'Unconfined',
};

/** Whether a forbidden command was refused here, in this version. */
function CanaryState({ canary: { mode, state, detail } }: { canary: Canary }) {
  if (state === 'failed') {
    return (
      <span className="block text-bad-fg">
        {MODES[mode]}, the canary failed: {detail} Tiers above 1 don’t start this way.
      </span>
    );
  }
  return (
    <span className="block text-text-2">
      {MODES[mode]}
      {state === 'passed'
        ? ', it refused a forbidden command: tested by the runner.'
        : ', the canary is running. Tiers above 1 wait for it.'}
    </span>
  );
}

function ConfinementState({
  capabilities,
}: {
  capabilities: NonNullable<RunnerDto['capabilities']>;
}) {
  const confinement = capabilities.confinement ?? null;
  const problem = confinementProblem(confinement);
  const text = confinement ? confinementText(confinement) : null;
  const { why, fix } = problem ?? text ?? { why: '', fix: '' };
  return (
    <span className="flex flex-col gap-1">
      <span className={why === '' ? undefined : 'text-wait-fg'}>
        {text?.state ?? 'Not confined'}
        {why === '' ? ': tested by the runner.' : `. ${why}`}
      </span>
      {fix === '' ? null : <span className="text-text-2">{fix}</span>}
      {confinement?.detail ? (
        <code className="text-code break-words text-text-2">{confinement.detail}</code>
      ) : null}
    </span>
  );
}

function Limits({ limits }: Pick<NonNullable<RunnerDto['capabilities']>, 'limits'>) {
  const { what, fix } = limitsText(limits);
  return (
    <span className="flex flex-col gap-1">
      <span className={limits?.processes ? undefined : 'text-wait-fg'}>{what}</span>
      {fix === '' ? null : <span className="text-text-2">{fix}</span>}
    </span>
  );
}

function KeyState({ runner }: { runner: RunnerDto }) {
  const { keyChangedAt, rotationRequestedAt, createdAt, capabilities } = runner;
  if (capabilities?.keySource === 'environment') return 'From TIERWATCH_RUNNER_KEY on the host.';
  return (
    <>
      {rotationRequestedAt ? (
        <>
          Rotation requested <Time at={rotationRequestedAt} />; it waits for the host ·{' '}
        </>
      ) : null}
      In use since <Time at={keyChangedAt ?? createdAt} />
    </>
  );
}

/** What runs on the host, and whether it can be replaced from here. */
function ProgramState({ runner: { capabilities, update } }: CapabilitiesCardProps) {
  const checksum = capabilities?.program?.sha256;
  return (
    <>
      {capabilities?.runnerVersion}
      {checksum ? (
        <span className="text-text-2">
          {' '}
          · file <code className="text-code">{checksum.slice(0, 12)}</code>
        </span>
      ) : null}
      {' · '}
      {updateText(update)}
      {update.failedAt ? (
        <>
          {' '}
          (failed <Time at={update.failedAt} />)
        </>
      ) : null}
    </>
  );
}

function updateText({ state, isAvailable, obstacle, failure }: RunnerDto['update']): string {
  switch (state) {
    case 'waiting':
      return 'An update is requested. It begins at the next contact, once no other runner of the pool is being updated.';
    case 'running':
      return 'It is being updated: it finishes its attempts, then restarts with the new version.';
    case 'failed':
      return `The last update failed. ${failure}`;
    case 'none':
      if (obstacle) return `Can’t be updated from here. ${obstacle}`;
      return isAvailable ? 'This installation has another version.' : 'Up to date.';
  }
}
