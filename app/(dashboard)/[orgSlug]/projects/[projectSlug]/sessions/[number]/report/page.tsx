import { Markdown } from '@/app/_components/markdown/markdown';
import { SeverityLabel } from '@/app/_components/status/severity-label';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { SafeText } from '@/app/_components/ui/safe-text';
import { reportSchema, type TierReport } from '@/lib/protocol/report';
import { JsonBlock, JsonDetails } from '../_components/json-details';
import { loadSession, type SessionParams } from '../_components/load-session';

export default async function ReportPage({ params }: { params: Promise<SessionParams> }) {
  const { session } = await loadSession(params);
  const parsed = reportSchema.safeParse(session.report);
  if (!parsed.success) {
    return (
      <Card isFlush>
        <EmptyState title={session.report ? 'The report is not readable.' : 'No report.'}>
          {session.endedAt
            ? 'The agent ended without a report of the wanted form. Its log and its cost are kept.'
            : 'The agent hands in its report when it ends.'}
        </EmptyState>
        {session.report ? <JsonBlock value={session.report} label="what it handed in" /> : null}
      </Card>
    );
  }
  const report = parsed.data;
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-6">
        <Card title="Summary" note={`reported by tier ${session.tier}`}>
          <Markdown text={report.summary} />
        </Card>
        <Findings findings={report.findings} />
        {report.investigation_findings ? (
          <Card title="Investigation">
            <Markdown text={report.investigation_findings} />
          </Card>
        ) : null}
        {report.remediation_attempted ? (
          <Card title="Remediation attempted">
            <Markdown text={report.remediation_attempted} />
          </Card>
        ) : null}
        <Actions actions={report.actions_taken} />
        <JsonDetails summary="Raw report (JSON)" value={session.report} label="report" />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <Card title="Escalation">
          <p>
            {report.escalation.wanted ? 'The agent requested a higher tier.' : 'None requested.'}
          </p>
          {report.escalation.reason ? (
            <p className="mt-1 text-text-2">
              <SafeText text={report.escalation.reason} />
            </p>
          ) : null}
          {report.escalation.services.length > 0 ? (
            <p className="mt-1 text-text-2">For {report.escalation.services.join(', ')}.</p>
          ) : null}
        </Card>
        <Checked services={report.services_checked} />
      </div>
    </div>
  );
}

function Findings({ findings }: { findings: TierReport['findings'] }) {
  return (
    <Card title="Findings" note={findings.length} isFlush>
      {findings.length === 0 ? (
        <p className="px-4 py-3 text-text-2 text-ui">The agent reported no finding.</p>
      ) : (
        <ul>
          {findings.map((finding, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a stored list
              key={index}
              className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-baseline gap-x-3 border-line border-t px-4 py-2 first:border-t-0 max-md:grid-cols-1"
            >
              <SeverityLabel level={finding.severity} />
              <p className="max-w-prose [overflow-wrap:anywhere]">
                {finding.service ? <strong>{finding.service}: </strong> : null}
                <SafeText text={finding.message} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Checked({ services }: { services: TierReport['services_checked'] }) {
  return (
    <Card title="Services, as reported">
      {services.length === 0 ? (
        <p className="text-text-2 text-ui">None named.</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {services.map((service) => (
            <li
              key={`${service.name}-${service.check_type ?? ''}`}
              className="flex flex-col gap-0.5"
            >
              <span className="flex flex-wrap items-center gap-2">
                <StatusBadge kind="service" state={service.status} />
                <span className="font-medium">{service.name}</span>
              </span>
              <span className="text-meta text-text-2 [overflow-wrap:anywhere]">
                <SafeText text={service.detail} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Actions({ actions }: { actions: TierReport['actions_taken'] }) {
  if (actions.length === 0) return null;
  return (
    <Card title="Actions, as reported" note={actions.length} isFlush>
      <ul>
        {actions.map((action, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a stored list
            key={index}
            className="flex flex-col gap-0.5 border-line border-t px-4 py-2 first:border-t-0"
          >
            <span>
              <strong>{action.service}</strong>: {action.action}
            </span>
            <code className="text-code text-text-2 [overflow-wrap:anywhere]">
              <SafeText text={action.command} />
            </code>
            <span className="text-text-2 text-ui">
              <SafeText text={action.outcome} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
