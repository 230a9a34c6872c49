import { z } from 'zod';
import { Markdown } from '@/app/_components/markdown/markdown';
import { SeverityLabel } from '@/app/_components/status/severity-label';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { SafeText } from '@/app/_components/ui/safe-text';
import { type Column, DataTable } from '@/app/_components/ui/table';
import {
  type EarlierReport,
  type Handoff,
  type HandoffCheck,
  type HandoffFinding,
  handoffSchema,
} from '@/lib/engine/continuation/handoff/schema';
import type { HandoffDto } from '@/lib/insight/sessions/schema';
import { formatDuration, formatSpan } from '@/lib/platform/format/duration';
import { JsonDetails } from './session-report';

interface HandoffViewProps {
  title: string;
  handoff: HandoffDto;
  /** Whether the tier above was started from it, in a sentence. */
  use: string;
}

const SOURCES = {
  built: 'Built by Tierwatch from the report and the event stream',
  file: 'Read from the file that the agent wrote',
};

/** Shows what passed from one tier to the next, checked against its schema. */
export function HandoffView({ title, handoff, use }: HandoffViewProps) {
  const parsed = handoffSchema.safeParse(handoff.payload);
  return (
    <Card title={title} note={<Time at={handoff.createdAt} />}>
      <div className="flex flex-col gap-4">
        <p>{use}</p>
        {parsed.success ? <Parts handoff={parsed.data} source={SOURCES[handoff.source]} /> : null}
        <JsonDetails summary="As JSON" value={handoff.payload} label="handoff" />
      </div>
    </Card>
  );
}

function Parts({ handoff, source }: { handoff: Handoff; source: string }) {
  return (
    <>
      <DefinitionList
        items={[
          { term: 'Created', value: source },
          { term: 'Schema version', value: handoff.schema_version },
          { term: 'Recommended tier', value: handoff.recommended_tier },
          { term: 'Services affected', value: handoff.services_affected.join(', ') },
          { term: 'Cooldowns', value: <Cooldowns state={handoff.cooldown_state} /> },
        ]}
      />
      <Reported report={handoff} />
      <div className="-mx-4 border-line border-y">
        <DataTable
          label="Check results"
          columns={CHECKS}
          rows={handoff.check_results}
          rowKey={(check) =>
            `${check.service}-${check.check_type}-${check.error}-${check.detail ?? ''}`
          }
          isFlush
        />
      </div>
      {handoff.investigation_findings ? (
        <Text title="Investigation" text={handoff.investigation_findings} />
      ) : null}
      {handoff.remediation_attempted ? (
        <Text title="Tried so far" text={handoff.remediation_attempted} />
      ) : null}
      {handoff.earlier_reports?.map((report) => (
        <section key={report.tier} className="flex flex-col gap-4 border-line border-t pt-4">
          <h3 className="font-medium text-ui">Reported earlier by tier {report.tier}</h3>
          <Reported report={report} />
        </section>
      ))}
    </>
  );
}

/** Shows a tier's summary, reason for escalating and findings, each where the handoff has it. */
function Reported({ report }: { report: Omit<EarlierReport, 'tier'> }) {
  return (
    <>
      {report.summary ? <Text title="Summary" text={report.summary} /> : null}
      {report.escalation_reason ? (
        <Text title="Reason for escalating" text={report.escalation_reason} />
      ) : null}
      {report.findings?.length ? <Findings findings={report.findings} /> : null}
    </>
  );
}

function Findings({ findings }: { findings: readonly HandoffFinding[] }) {
  return (
    <div className="flex flex-col gap-1">
      <h3 className="font-medium text-text-2 text-ui">Findings</h3>
      <ul className="flex flex-col gap-1">
        {findings.map((finding, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a stored list
            key={index}
            className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-baseline gap-x-3 max-md:grid-cols-1"
          >
            <SeverityLabel level={finding.severity} />
            <p className="max-w-prose [overflow-wrap:anywhere]">
              {finding.service ? <strong>{finding.service}: </strong> : null}
              <SafeText text={finding.message} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** In words where it is in our shape; one of the agent's own is shown unmodified. */
function Cooldowns({ state }: { state: Handoff['cooldown_state'] }) {
  if (Object.keys(state).length === 0) return 'None.';
  const lines = cooldownLines(state);
  if (lines?.length === 0) return 'None.';
  if (!lines) return <code className="break-words text-code">{JSON.stringify(state)}</code>;
  return (
    <ul>
      {lines.map(({ service, text, nextAllowedAt }) => (
        <li key={`${service} ${text}`}>
          {service} <span className="text-text-2">{text}</span>
          {nextAllowedAt ? (
            <span className="text-wait-fg">
              , the next one <Time at={nextAllowedAt} form="day" />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <div className="flex flex-col gap-1">
      <h3 className="font-medium text-text-2 text-ui">{title}</h3>
      <Markdown text={text} />
    </div>
  );
}

const CHECKS: Column<HandoffCheck>[] = [
  { header: 'Service', phone: 'title', cell: (check) => check.service },
  { header: 'Check', cell: (check) => check.check_type },
  {
    header: 'Status',
    phone: 'status',
    cell: (check) => <StatusBadge kind="service" state={check.status} />,
  },
  {
    header: 'Error',
    cell: (check) => (
      <>
        <SafeText text={check.error} />
        {check.detail ? (
          <p className="text-meta text-text-2 [overflow-wrap:anywhere]">
            <SafeText text={check.detail} />
          </p>
        ) : null}
      </>
    ),
  },
  {
    header: 'Took',
    align: 'end',
    cell: (check) => formatDuration(check.response_time_ms ?? null),
  },
];

/** As Tierwatch writes it: by service, by action. */
const stateSchema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      used: z.number(),
      limit: z.number(),
      window_seconds: z.number(),
      next_allowed_at: z.iso.datetime().nullable(),
    }),
  ),
);

interface CooldownLine {
  service: string;
  /** `restart: 1 of 2 in 4h` */
  text: string;
  /** When the next one is allowed, where none is left; ISO 8601. */
  nextAllowedAt: string | null;
}

/** A line for each service and action; null for a state in a shape of the agent's own. */
export function cooldownLines(state: Record<string, unknown>): CooldownLine[] | null {
  const parsed = stateSchema.safeParse(state);
  if (!parsed.success) return null;
  return Object.entries(parsed.data).flatMap(([service, actions]) =>
    Object.entries(actions).map(([action, { used, limit, window_seconds, next_allowed_at }]) => ({
      service,
      text: `${action}: ${used} of ${limit} in ${formatSpan(window_seconds)}`,
      nextAllowedAt: next_allowed_at,
    })),
  );
}
