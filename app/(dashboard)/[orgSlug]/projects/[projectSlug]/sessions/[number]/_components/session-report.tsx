import { Markdown } from '@/app/_components/markdown/markdown';
import {
  ReportedActions,
  ReportedEscalation,
  ReportedServices,
  ReportFindings,
} from '@/app/_components/report';
import { Card } from '@/app/_components/ui/card';
import { cn } from '@/app/_components/ui/cn';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { EmptyState } from '@/app/_components/ui/empty-state';
import type { SessionDetail } from '@/lib/insight/sessions/schema';
import { reportSchema } from '@/lib/protocol/report';

interface SessionReportProps {
  session: Pick<SessionDetail, 'report' | 'endedAt' | 'tier'>;
  /** In one column, beside another report. */
  isNarrow?: boolean;
}

/** Shows what a session's agent reported, or why there is nothing to show. */
export function SessionReport({ session, isNarrow = false }: SessionReportProps) {
  const parsed = reportSchema.safeParse(session.report);
  if (!parsed.success) {
    return (
      <Card isFlush>
        <EmptyState title={session.report ? 'The report is not readable.' : 'No report.'}>
          {session.endedAt
            ? 'The agent ended without a valid report. Its log and its cost are kept.'
            : 'The agent hands in its report when it ends.'}
        </EmptyState>
        {session.report ? <JsonBlock value={session.report} label="what it handed in" /> : null}
      </Card>
    );
  }
  const report = parsed.data;
  return (
    <div
      className={cn('grid items-start gap-6', !isNarrow && 'xl:grid-cols-[minmax(0,1fr)_22rem]')}
    >
      <div className="flex min-w-0 flex-col gap-6">
        <Card title="Summary" note={`reported by tier ${session.tier}`}>
          <Markdown text={report.summary} />
        </Card>
        <Card title="Findings" note={report.findings.length} isFlush>
          <ReportFindings findings={report.findings} />
        </Card>
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
        {report.actions_taken.length > 0 ? (
          <Card title="Actions, as reported" note={report.actions_taken.length} isFlush>
            <ReportedActions actions={report.actions_taken} />
          </Card>
        ) : null}
        <JsonDetails summary="Raw report (JSON)" value={session.report} label="report" />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <Card title="Escalation">
          <ReportedEscalation escalation={report.escalation} />
        </Card>
        <Card title="Services, as reported">
          <ReportedServices services={report.services_checked} />
        </Card>
      </div>
    </div>
  );
}

interface JsonDetailsProps {
  /** What a click opens: "As JSON". */
  summary: string;
  value: unknown;
  /** Of the copy button. */
  label: string;
}

/** The stored value, one click away from what the page derives from it. */
export function JsonDetails({ summary, value, label }: JsonDetailsProps) {
  return (
    <details>
      <summary className="link min-h-6 w-fit text-ui">{summary}</summary>
      <div className="mt-2">
        <JsonBlock value={value} label={label} />
      </div>
    </details>
  );
}

interface JsonBlockProps {
  value: unknown;
  /** What is copied: "report". */
  label: string;
}

function JsonBlock({ value, label }: JsonBlockProps) {
  const text = JSON.stringify(value, null, 2);
  return (
    <CodeBlock label={label} value={text}>
      {text}
    </CodeBlock>
  );
}
