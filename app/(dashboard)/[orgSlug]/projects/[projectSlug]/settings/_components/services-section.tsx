'use client';

import { Plus, Trash2 } from 'lucide-react';
import { useState, useTransition } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { PendingButton } from '@/app/_components/ui/spinner';
import { CheckFields } from '@/app/(dashboard)/[orgSlug]/projects/_components/check-fields';
import { CheckFound } from '@/app/(dashboard)/[orgSlug]/projects/_components/check-found';
import type { CheckTest } from '@/lib/fleet/check-tests';
import { formatCounted } from '@/lib/platform/format/count';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { testCheck } from '../actions';
import { SettingsForm } from './settings-form';
import { type SectionProps, useDraft } from './use-draft';

const NEW_CHECK: CheckSpec = { type: 'http', target: '', timeoutSeconds: 5 };

export function ServicesSection({ organizationSlug, saved, refusal }: SectionProps) {
  const form = useDraft(organizationSlug, saved, ['services']);
  const { services } = form.draft.config;
  const set = (change: (services: readonly ServiceSpec[]) => ServiceSpec[]) =>
    form.configure((config) => ({ services: change(config.services) }));
  return (
    <SettingsForm form={form} refusal={refusal}>
      {services.length === 0 ? (
        <EmptyState isCard title="No services yet.">
          A service is healthy, degraded or down, as measured by its checks. While a check can’t
          run, it is unknown.
        </EmptyState>
      ) : null}
      {services.map((service, index) => (
        <ServiceCard
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may be empty or twice while it is typed
          key={index}
          index={index}
          service={service}
          organizationSlug={organizationSlug}
          project={saved.slug}
          pool={form.draft.config.runnerPool}
          isLocked={refusal !== null}
          onChange={(next) => set((before) => before.with(index, next))}
          onRemove={() => set((before) => before.filter((_, at) => at !== index))}
          errorAt={form.errorAt}
        />
      ))}
      <Button
        onClick={() => set((before) => [...before, { name: '', checks: [NEW_CHECK] }])}
        className="self-start"
        icon={Plus}
      >
        Add a service
      </Button>
    </SettingsForm>
  );
}

interface ServiceCardProps {
  index: number;
  organizationSlug: string;
  /** Its slug. */
  project: string;
  pool: string;
  isLocked: boolean;
  service: ServiceSpec;
  onChange: (service: ServiceSpec) => void;
  onRemove: () => void;
  errorAt: (path: string) => string | undefined;
}

function ServiceCard(props: ServiceCardProps) {
  const { index, organizationSlug, project, pool, isLocked, service } = props;
  const { onChange, onRemove, errorAt } = props;
  const path = `services.${index}`;
  const { checks } = service;
  return (
    <Card
      title={service.name || 'New service'}
      note={formatCounted(checks.length, 'check')}
      actions={
        <Button look="quiet" size="sm" onClick={onRemove} icon={Trash2}>
          Remove
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field
          id={`${path}.name`}
          label="Name"
          hint="Name used in commands: container, unit or host."
          error={errorAt(`${path}.name`)}
          className="max-w-80"
        >
          <Input
            spellCheck={false}
            autoComplete="off"
            value={service.name}
            onChange={(event) => onChange({ ...service, name: event.target.value })}
          />
        </Field>
        {checks.map((check, at) => (
          <CheckFields
            // biome-ignore lint/suspicious/noArrayIndexKey: two checks may be alike while they are typed
            key={at}
            path={`${path}.checks.${at}`}
            check={check}
            onChange={(next) =>
              onChange({ ...service, checks: checks.map((each, i) => (i === at ? next : each)) })
            }
            onRemove={() => onChange({ ...service, checks: checks.filter((_, i) => i !== at) })}
            errorAt={errorAt}
            footer={
              isLocked || check.type === 'heartbeat' ? null : (
                <CheckTestButton
                  organizationSlug={organizationSlug}
                  project={project}
                  pool={pool}
                  service={service.name}
                  check={check}
                />
              )
            }
          />
        ))}
        <Button
          size="sm"
          onClick={() => onChange({ ...service, checks: [...checks, NEW_CHECK] })}
          className="self-start"
          icon={Plus}
        >
          Add a check
        </Button>
      </div>
    </Card>
  );
}

interface CheckTestButtonProps {
  organizationSlug: string;
  /** Its slug. */
  project: string;
  pool: string;
  service: string;
  /** As entered in the form. */
  check: CheckSpec;
}

/** Has a runner look now, and shows what it found beside the fields. */
function CheckTestButton(props: CheckTestButtonProps) {
  const { organizationSlug, project, pool, service, check } = props;
  const key = JSON.stringify(check);
  const [tested, setTested] = useState<{ key: string; said: CheckTest | string } | null>(null);
  const [isWorking, startWork] = useTransition();
  const isReady = check.target.trim() !== '' && !isWorking;
  // The result is outdated once these fields change.
  const said = tested?.key === key ? tested.said : null;

  function test() {
    if (!isReady) return;
    startWork(async () => {
      const answer = await testCheck({ organizationSlug, project, pool, service, check });
      setTested({ key, said: answer.ok ? answer.data : answer.error.message });
    });
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ui">
      <PendingButton
        size="sm"
        isPending={isWorking}
        aria-disabled={!isReady || undefined}
        onClick={test}
      >
        Test now
      </PendingButton>
      <span role="status" className="min-w-0 flex-1 basis-60 break-words">
        {isWorking ? <span className="text-text-2">A runner of pool {pool} looks…</span> : null}
        {!isWorking && typeof said === 'string' ? (
          <span className="text-bad-fg">{said}</span>
        ) : null}
        {!isWorking && said && typeof said !== 'string' ? <CheckFound test={said} /> : null}
      </span>
    </div>
  );
}
