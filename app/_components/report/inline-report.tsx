import type { ReactNode } from 'react';
import type { TierReport } from '@/lib/protocol/report';
import { LazyMarkdown } from '../markdown/lazy-markdown';
import {
  ReportedActions,
  ReportedEscalation,
  ReportedServicesInShort,
  ReportFindings,
} from './report-parts';

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
