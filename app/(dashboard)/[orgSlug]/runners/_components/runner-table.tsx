import { Unknown } from '@/app/_components/status/cost';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { listAgents } from '@/lib/agents/registry';
import type { RunnerDto } from '@/lib/fleet/schema';
import { runnerLook } from './runner-state';

interface RunnerTableProps {
  orgSlug: string;
  runners: readonly RunnerDto[];
  now: Date;
}

export function RunnerTable({ orgSlug, runners, now }: RunnerTableProps) {
  return (
    <DataTable
      label="Runners"
      columns={columns(now)}
      rows={runners}
      rowKey={(runner) => runner.id}
      rowHref={(runner) => `/${orgSlug}/runners/${runner.id}`}
    />
  );
}

function columns(now: Date): Column<RunnerDto>[] {
  return [
    { header: 'Name', phone: 'title', cell: (runner) => runner.name },
    { header: 'Pool', cell: (runner) => runner.pool },
    {
      header: 'State',
      phone: 'status',
      cell: (runner) => {
        const { state, detail } = runnerLook(runner, now);
        return <StatusBadge kind="runner" state={state} detail={detail} />;
      },
    },
    {
      header: 'Tiers',
      cell: (runner) => (
        <span className="inline-flex gap-2">
          {runner.allowedTiers.map((tier) => (
            <TierMark key={tier} tier={tier >= 3 ? 3 : tier === 2 ? 2 : 1} />
          ))}
        </span>
      ),
    },
    { header: 'Slots', cell: (runner) => <Slots runner={runner} /> },
    {
      header: 'Last contact',
      cell: (runner) =>
        runner.lastSeenAt ? (
          <Time at={runner.lastSeenAt} isPlain />
        ) : (
          <Unknown reason="It hasn’t connected yet" />
        ),
    },
    { header: 'CLI', cell: (runner) => <CliVersions runner={runner} /> },
    {
      header: 'Version',
      cell: (runner) =>
        runner.capabilities ? (
          <Version runner={runner} />
        ) : (
          <Unknown reason="It hasn’t connected yet" />
        ),
    },
    { header: 'User', cell: (runner) => <HostUser runner={runner} /> },
  ];
}

function Slots({ runner }: { runner: RunnerDto }) {
  if (!runner.capabilities) return <Unknown reason="It hasn’t connected yet" />;
  return (
    <span className="tabular-nums">
      {runner.slotsInUse} of {runner.slots}
    </span>
  );
}

/** Of the agents with a model; each is named once there are several. */
function CliVersions({ runner }: { runner: RunnerDto }) {
  const known = listAgents().filter((agent) => agent.hasModel);
  const reported = known.flatMap(({ name, label }) => {
    const agent = runner.capabilities?.harnesses.find((harness) => harness.name === name);
    return agent ? [{ ...agent, label }] : [];
  });
  const found = reported.filter(({ version }) => version !== null);
  if (found.length === 0) return <Unknown reason={reported[0]?.problem ?? 'Not reported yet'} />;
  return (
    <span className="flex flex-wrap gap-x-3">
      {found.map(({ name, label, version, problem, isUsable }) => (
        <span key={name} title={problem ?? undefined} className="tabular-nums">
          {known.length > 1 ? `${label} ` : null}
          {version}
          {isUsable ? null : <span className="text-bad-fg"> not usable</span>}
        </span>
      ))}
    </span>
  );
}

function Version({ runner: { capabilities, update } }: { runner: RunnerDto }) {
  const mark = UPDATE_MARKS[update.state] ?? (update.isAvailable ? 'update available' : null);
  return (
    <span className="tabular-nums" title={update.failure ?? update.obstacle ?? undefined}>
      {capabilities?.runnerVersion}
      {mark ? (
        <span className={update.state === 'failed' ? 'text-bad-fg' : 'text-text-2'}> {mark}</span>
      ) : null}
    </span>
  );
}

const UPDATE_MARKS: Partial<Record<RunnerDto['update']['state'], string>> = {
  waiting: 'update waits',
  running: 'updating',
  failed: 'update failed',
};

function HostUser({ runner }: { runner: RunnerDto }) {
  if (!runner.capabilities) return <Unknown reason="It hasn’t connected yet" />;
  const { user, isRoot } = runner.capabilities;
  return isRoot ? (
    <span
      className="text-wait-fg"
      title="The agent’s commands run with full privileges on this host."
    >
      {user} (full privileges)
    </span>
  ) : (
    user
  );
}
