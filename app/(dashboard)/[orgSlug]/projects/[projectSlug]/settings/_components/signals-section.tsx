'use client';

import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Link } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { SignalRequestDto } from '@/lib/signals/request-schema';
import type { SignalDto } from '@/lib/signals/schema';
import { SOURCE_KIND_WORDS } from '@/lib/signals/sentences';
import type { SignalSourceDto } from '@/lib/signals/source-schema';
import { AddSignalSource } from './add-signal-source';
import { SignalMapping } from './signal-mapping';
import { SignalSourceDetail } from './signal-source-detail';

export interface SignalsSectionProps {
  organizationSlug: string;
  /** Slug of the project. */
  project: string;
  /** The address of the section. */
  href: string;
  sources: readonly SignalSourceDto[];
  /** The source that is shown, with what it sent last; null if there is none. */
  shown: {
    source: SignalSourceDto;
    deliveries: readonly SignalRequestDto[];
    firing: readonly SignalDto[];
  } | null;
  refusal: Refusal;
}

export function SignalsSection(props: SignalsSectionProps) {
  const { sources, shown, href, refusal } = props;
  return (
    <>
      <p className="max-w-prose text-text-2">
        Other systems send their alerts to an address of this project.{' '}
        <DocLink to="send-alerts">Send alerts</DocLink>
      </p>
      <Card title="Alert sources" note={sources.length || undefined} isFlush>
        {sources.length === 0 ? (
          <EmptyState title="No alert sources yet.">
            A source accepts the alerts of one Alertmanager, Grafana, PagerDuty account, or any
            program that sends JSON.
          </EmptyState>
        ) : (
          <ul>
            {sources.map((source) => (
              <li
                key={source.id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 text-ui first:border-t-0"
              >
                <StatusBadge
                  kind="alert_source"
                  state={source.disabledAt ? 'disabled' : 'active'}
                />
                <Link
                  href={`${href}?source=${source.id}`}
                  aria-current={source.id === shown?.source.id ? 'true' : undefined}
                  className="min-w-0 wrap-anywhere font-medium"
                >
                  <SafeText text={source.name} />
                </Link>
                <span className="text-text-3">{SOURCE_KIND_WORDS[source.kind]}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {/* Before the cards of a source: those of a new one must not push its token out of sight. */}
      {refusal ? <p className="text-text-2 text-ui">{refusal}</p> : <AddSignalSource {...props} />}
      {shown ? (
        <>
          <SignalSourceDetail key={shown.source.id} {...props} {...shown} />
          <FiringSignals alerts={shown.firing} />
          <SignalMapping key={`mapping ${shown.source.id}`} {...props} source={shown.source} />
        </>
      ) : null}
    </>
  );
}

function FiringSignals({ alerts }: { alerts: readonly SignalDto[] }) {
  return (
    <Card title="Firing alerts" note={alerts.length || undefined} isFlush>
      {alerts.length === 0 ? (
        <EmptyState title="Nothing fires.">Alerts of this source appear here.</EmptyState>
      ) : (
        <ul>
          {alerts.map((signal) => (
            <li
              key={signal.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 text-ui first:border-t-0"
            >
              <StatusBadge kind="alert" state={signal.status} />
              <span className="wrap-anywhere min-w-0 font-medium">
                <SafeText text={signal.title} />
              </span>
              <span className="wrap-anywhere text-text-3">
                {signal.severity} ·{' '}
                <SafeText text={signal.service ?? signal.serviceText ?? 'no service'} />
                {' · since '}
                <Time at={signal.startedAt} isPlain />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
