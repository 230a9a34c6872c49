import { TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { agentLabel } from '@/lib/agents/registry';
import type { RunnerDto } from '@/lib/fleet/schema';

const CONTAINMENT = {
  cgroup: 'cgroup: stopping kills every child process.',
  marker: 'By a marker in the environment: a stop reaches whatever carries it or descends from it.',
};

const DOOR = {
  https: 'Claims attempts over HTTPS; it only needs to reach this address.',
  queue: 'Claims attempts directly from the queue, with a login for this installation.',
};

/** What the host said of itself at its last heartbeat. */
export function PostureCard({ runner }: { runner: RunnerDto }) {
  const { posture } = runner;
  if (!posture) {
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
          { term: 'Host', value: `${posture.hostname} · ${posture.platform}` },
          {
            term: 'User',
            value: posture.isRoot ? (
              <span className="text-wait-fg">
                {posture.user}: the agent’s commands run with full privileges on this host. Use a
                dedicated account.
              </span>
            ) : (
              posture.user
            ),
          },
          { term: 'Stopping', value: CONTAINMENT[posture.containment] },
          { term: 'Runner', value: posture.runnerVersion },
          { term: 'Work', value: DOOR[posture.door ?? 'queue'] },
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
          ...posture.harnesses.map((harness) => ({
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
              </>
            ),
          })),
        ]}
      />
    </Card>
  );
}

function KeyState({ runner }: { runner: RunnerDto }) {
  const { keyChangedAt, rotationRequestedAt, createdAt, posture } = runner;
  if (posture?.keySource === 'environment') return 'From TIERWATCH_RUNNER_KEY on the host.';
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
