'use client';

import { Link } from '@/app/_components/ui/link';
import { LazyMarkdown } from '../markdown/lazy-markdown';
import { StatusBadge } from '../status/status-badge';
import { SafeText } from '../ui/safe-text';
import type { ReportBrief } from './report-brief';

interface ReportBodyProps {
  /** Null when what was handed in isn't a report. */
  brief: ReportBrief | null;
  /** Of the Report tab, which has the rest and the JSON. */
  href?: string | undefined;
}

/** A report as its row in the log shows it: summary, services, and whether a higher tier was requested. */
export function ReportBody({ brief, href }: ReportBodyProps) {
  return (
    <div className="flex flex-col gap-2 py-1">
      {brief ? (
        <Brief brief={brief} />
      ) : (
        <p className="text-text-2 text-ui">What was handed in isn’t a report.</p>
      )}
      {href ? (
        <p data-facts className="text-ui">
          <Link href={href} className="link">
            Open the report
          </Link>
        </p>
      ) : null}
    </div>
  );
}

function Brief({ brief: { summary, services, escalation } }: { brief: ReportBrief }) {
  return (
    <>
      <LazyMarkdown text={summary} />
      {services.length > 0 ? (
        <ul aria-label="Services, as reported" className="flex flex-col gap-1 text-ui">
          {services.map((service, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a stored list, in which a name may come twice
              key={index}
              className="flex flex-wrap items-center gap-x-2 gap-y-0.5"
            >
              <StatusBadge kind="service" state={service.status} />
              <span className="font-medium">{service.name}</span>
              <span className="min-w-0 text-text-2 [overflow-wrap:anywhere]">
                <SafeText text={service.detail} />
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {escalation ? (
        <p className="max-w-prose text-ui [overflow-wrap:anywhere]">
          <span className="font-medium">
            {escalation.services.length > 0
              ? `Requested a higher tier for ${escalation.services.join(', ')}.`
              : 'Requested a higher tier.'}
          </span>{' '}
          <SafeText text={escalation.reason} />
        </p>
      ) : null}
    </>
  );
}
