'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { usePreferences } from '@/app/_components/shell/preferences-context';
import { Button } from '@/app/_components/ui/button';
import { ErrorSummary, type SummaryError } from '@/app/_components/ui/error-summary';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Spinner } from '@/app/_components/ui/spinner';
import { checkOfTarget, serviceNameOf } from '@/lib/projects/first-service/check-of-target';
import { CHECK_TYPES } from '../../_components/check-fields';
import { ScheduleFields } from '../../_components/schedule-fields';
import { SchedulePreview } from '../../_components/schedule-preview';
import { useSchedulePreview } from '../../_components/use-schedule-preview';
import { createProject } from '../actions';
import { AgentChoice, preselectedAgent } from './agent-choice';
import { PoolStep, type WizardRunner } from './pool-step';
import { Step } from './step';
import { TargetTest } from './target-test';
import { useWizardDraft } from './wizard-draft';

interface ProjectWizardProps {
  organizationSlug: string;
  pools: readonly string[];
  runners: readonly WizardRunner[];
}

const WRONG_TARGET =
  'Enter a full URL, such as https://shop.example/health, a host and port, such as db-1:5432, or the name of a container.';

/** Four parts on one page; everything else has a default and lives in the settings. */
export function ProjectWizard({ organizationSlug, pools, runners }: ProjectWizardProps) {
  const router = useRouter();
  const { localTimeZone } = usePreferences().preferences;
  const { draft, change, forget } = useWizardDraft(organizationSlug, {
    name: '',
    target: '',
    serviceName: '',
    schedule: { kind: 'interval', everySeconds: 600, timeZone: localTimeZone },
    pool: runners.find((runner) => runner.isOnline)?.pool ?? pools[0] ?? 'default',
    harness: null,
  });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isPending, startTransition] = useTransition();
  const preview = useSchedulePreview(organizationSlug, draft.schedule);

  const check = checkOfTarget(draft.target);
  const serviceName = draft.serviceName || (check ? serviceNameOf(check) : '');
  const poolRunners = runners.filter((runner) => runner.pool === draft.pool && runner.isOnline);
  const harness = draft.harness ?? preselectedAgent(poolRunners);

  function start() {
    if (isPending) return;
    const found: Record<string, string> = {};
    if (draft.name.trim() === '') found.name = 'Name the project.';
    if (!check) found.target = WRONG_TARGET;
    setErrors(found);
    if (!check || Object.keys(found).length > 0) return;
    startTransition(async () => {
      const answer = await createProject({
        organizationSlug,
        name: draft.name,
        harness,
        services: [{ name: serviceName, checks: [check] }],
        schedule: draft.schedule,
        runnerPool: draft.pool,
      });
      if (!answer.ok) {
        setErrors(fieldErrors(answer.error));
        return;
      }
      forget();
      const { slug, number } = answer.data;
      router.push(`/${organizationSlug}/projects/${slug}/chains/${number}`);
    });
  }

  return (
    <div className="flex max-w-180 flex-col gap-4">
      <ErrorSummary errors={summaryOf(errors)} />
      <div className="rounded-card border border-line bg-surface">
        <Step number={1} title="What to watch">
          <Field id="name" label="Project" error={errors.name} className="max-w-80">
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                placeholder="Checkout"
                value={draft.name}
                onChange={(event) => change({ name: event.target.value })}
              />
            )}
          </Field>
          <div className="flex flex-wrap gap-4">
            <Field
              id="target"
              label="First service"
              hint="A URL, a host and port, or the name of a container."
              error={errors.target}
              className="min-w-64 flex-1 basis-80"
            >
              {(control) => (
                <Input
                  {...control}
                  spellCheck={false}
                  autoComplete="off"
                  placeholder="https://shop.example/health"
                  value={draft.target}
                  onChange={(event) => change({ target: event.target.value })}
                />
              )}
            </Field>
            <Field
              id="serviceName"
              label="Called"
              hint={check ? `Watched by ${CHECK_TYPES[check.type].word}.` : 'Made of it, or yours.'}
              error={errors['services.0.name']}
              className="min-w-40 flex-1 basis-40"
            >
              {(control) => (
                <Input
                  {...control}
                  spellCheck={false}
                  autoComplete="off"
                  placeholder={check ? serviceNameOf(check) : 'shop'}
                  value={draft.serviceName}
                  onChange={(event) => change({ serviceName: event.target.value })}
                />
              )}
            </Field>
          </div>
          <TargetTest organizationSlug={organizationSlug} target={draft.target} />
        </Step>
        <Step number={2} title="How often">
          <ScheduleFields
            schedule={draft.schedule}
            onChange={(schedule) => change({ schedule })}
            errorAt={(path) => errors[path]}
          />
          <SchedulePreview
            preview={preview}
            projectZone={draft.schedule.timeZone}
            cycleMicros={null}
          />
        </Step>
        <Step number={3} title="Where it runs">
          <PoolStep
            organizationSlug={organizationSlug}
            pool={draft.pool}
            pools={pools}
            runners={runners}
            error={errors.runnerPool}
            onChange={(pool) => change({ pool })}
          />
          <AgentChoice
            value={harness}
            runners={poolRunners}
            onChange={(next) => change({ harness: next })}
          />
        </Step>
        <Step number={4} title="Start">
          <p className="max-w-prose">
            {draft.name.trim() || 'The project'} watches {serviceName || 'one service'}{' '}
            {preview?.ok ? preview.words : 'on its schedule'} on pool {draft.pool || 'default'}.{' '}
            <span className="text-text-2">
              Tier 1 only. Tiers 2 and 3 stay off until you turn them on.
            </span>
          </p>
          <Button
            look="primary"
            aria-disabled={isPending || undefined}
            onClick={start}
            className="self-start"
          >
            {isPending ? <Spinner /> : null} Start first cycle
          </Button>
        </Step>
      </div>
    </div>
  );
}

interface RefusedError {
  message: string;
  fields: Record<string, string>;
}

/** The slug is made of the name, so what is wrong with it stands there. */
function fieldErrors({ message, fields }: RefusedError): Record<string, string> {
  const entries = Object.entries(fields).map(([path, text]) => {
    if (path === 'slug')
      return ['name', 'A project of this name is there already. Pick a different one.'];
    if (path === 'services.0.checks.0.target') return ['target', text];
    return [path, text];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : { '': message };
}

const FIELD_IDS = [
  'name',
  'target',
  'runnerPool',
  'schedule.everySeconds',
  'schedule.expression',
  'schedule.timeZone',
];

function summaryOf(errors: Record<string, string>): SummaryError[] {
  return Object.entries(errors).map(([path, message]) => {
    const fieldId = path === 'services.0.name' ? 'serviceName' : path;
    const isField = FIELD_IDS.includes(fieldId) || fieldId === 'serviceName';
    return { fieldId: isField ? fieldId : null, message };
  });
}
