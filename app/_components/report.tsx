import type { ReactNode } from 'react';
import type { TierReport } from '@/lib/protocol/report';
import { LazyMarkdown } from './markdown/lazy-markdown';
import { SeverityLabel } from './status/severity-label';
import { StatusBadge } from './status/status-badge';
import { SafeText } from './ui/safe-text';

/** The findings of a report, one per row. Renders nothing around them: no card, no heading. */
export function ReportFindings({ findings }: Pick<TierReport, 'findings'>) {
  if (findings.length === 0) {
    return <p className="px-4 py-3 text-text-2 text-ui">The agent reported no finding.</p>;
  }
  return (
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
  );
}

/** What the agent reported about each service. */
export function ReportedServices({ services }: { services: TierReport['services_checked'] }) {
  if (services.length === 0) return <p className="text-text-2 text-ui">None named.</p>;
  return (
    <ul className="flex flex-col gap-2">
      {services.map((service) => (
        <li key={`${service.name}-${service.check_type ?? ''}`} className="flex flex-col gap-0.5">
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
  );
}

/** The same in short: healthy services by name alone, the others with what was reported. */
function ReportedServicesInShort({ services }: { services: TierReport['services_checked'] }) {
  const healthy = services.filter(({ status }) => status === 'healthy');
  const others = services.filter(({ status }) => status !== 'healthy');
  return (
    <div className="flex flex-col gap-2">
      {others.length > 0 ? <ReportedServices services={others} /> : null}
      {healthy.length > 0 ? (
        <p className="flex flex-wrap items-center gap-2">
          <StatusBadge kind="service" state="healthy" />
          {healthy.map(({ name }) => name).join(', ')}
        </p>
      ) : null}
    </div>
  );
}

/** Actions as the agent reported them: a claim, unlike the calls in the log. */
export function ReportedActions({ actions }: { actions: TierReport['actions_taken'] }) {
  return (
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
  );
}

/** Whether the agent requested a higher tier, why, and for which services. */
export function ReportedEscalation({ escalation }: Pick<TierReport, 'escalation'>) {
  return (
    <>
      <p>{escalation.wanted ? 'The agent requested a higher tier.' : 'None requested.'}</p>
      {escalation.reason ? (
        <p className="mt-1 text-text-2 [overflow-wrap:anywhere]">
          <SafeText text={escalation.reason} />
        </p>
      ) : null}
      {escalation.services.length > 0 ? (
        <p className="mt-1 text-text-2">For {escalation.services.join(', ')}.</p>
      ) : null}
    </>
  );
}

interface InlineReportProps {
  report: TierReport;
  /** The accessible name, where a page shows several reports. */
  label?: string;
  /** Beside the heading: who reported it, or a link. */
  note?: ReactNode;
}

/** A tier's whole report in one block, for logs. Sections the agent left empty are left out. */
export function InlineReport({ report, note, label = 'Report' }: InlineReportProps) {
  const { findings, services_checked, actions_taken, escalation } = report;
  return (
    <section aria-label={label} className="rounded-control border border-line bg-surface">
      <header className="flex flex-wrap items-baseline gap-x-3 px-4 pt-3">
        <h4 className="text-card">Report</h4>
        {note ? <span className="text-meta text-text-3">{note}</span> : null}
      </header>
      <div className="px-4 pb-3">
        <LazyMarkdown text={report.summary} />
      </div>
      {findings.length > 0 ? (
        <Part title="Findings" isFlush>
          <ReportFindings findings={findings} />
        </Part>
      ) : null}
      {services_checked.length > 0 ? (
        <Part title="Services, as reported">
          <ReportedServicesInShort services={services_checked} />
        </Part>
      ) : null}
      {report.investigation_findings ? (
        <Part title="Investigation">
          <LazyMarkdown text={report.investigation_findings} />
        </Part>
      ) : null}
      {report.remediation_attempted ? (
        <Part title="Remediation attempted">
          <LazyMarkdown text={report.remediation_attempted} />
        </Part>
      ) : null}
      {actions_taken.length > 0 ? (
        <Part title="Actions, as reported" isFlush>
          <ReportedActions actions={actions_taken} />
        </Part>
      ) : null}
      {escalation.wanted || escalation.reason ? (
        <Part title="Escalation">
          <ReportedEscalation escalation={escalation} />
        </Part>
      ) : null}
    </section>
  );
}

interface PartProps {
  title: string;
  /** The content brings its own padding. */
  isFlush?: boolean;
  children: ReactNode;
}

function Part({ title, isFlush, children }: PartProps) {
  return (
    <div className="border-line border-t">
      <h5 className="px-4 pt-2 font-medium text-text-2 text-ui">{title}</h5>
      {isFlush ? children : <div className="px-4 pt-1 pb-3">{children}</div>}
    </div>
  );
}
