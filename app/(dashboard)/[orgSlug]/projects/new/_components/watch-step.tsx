'use client';

import { useState, useTransition } from 'react';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { PendingButton } from '@/app/_components/ui/spinner';
import type { CheckTest } from '@/lib/fleet/check-tests';
import { formatDuration } from '@/lib/platform/format/duration';
import type { TargetTest } from '@/lib/projects/target-test';
import { serviceNameOf, TEMPLATE_NAMES, TEMPLATES } from '@/lib/projects/templates';
import type { CheckSpec } from '@/lib/protocol/spec';
import { CheckFound } from '../../_components/check-found';
import { testTarget } from '../actions';
import type { WizardDraft } from './kept-draft';
import { Step } from './step';

interface WatchStepProps {
  organizationSlug: string;
  draft: WizardDraft;
  /** What the typed target means; null while it can't be parsed. */
  check: CheckSpec | null;
  /** The name of each type of check. */
  checkWords: CheckWords;
  errors: Record<string, string>;
  onChange: (changes: Partial<WizardDraft>) => void;
}

export type CheckWords = Readonly<Record<CheckSpec['type'], string>>;

/** A name for the project, and the first service it watches. */
export function WatchStep(props: WatchStepProps) {
  const { organizationSlug, draft, check, checkWords, errors, onChange } = props;
  const template = TEMPLATES[draft.template];
  return (
    <Step number={1} title="What to watch">
      <SegmentedChoice
        label="Start from"
        name="template"
        choices={TEMPLATE_NAMES.map((value) => ({ value, label: TEMPLATES[value].label }))}
        value={draft.template}
        onChange={(next) => onChange({ template: next })}
      />
      <Field id="name" label="Project" error={errors.name} className="max-w-80">
        <Input
          autoComplete="off"
          placeholder="Checkout"
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <div className="flex flex-wrap gap-4">
        <Field
          id="target"
          label="First service"
          hint={template.hint}
          error={errors.target}
          className="min-w-64 flex-1 basis-80"
        >
          <Input
            spellCheck={false}
            autoComplete="off"
            placeholder={template.example}
            value={draft.target}
            onChange={(event) => onChange({ target: event.target.value })}
          />
        </Field>
        <Field
          id="serviceName"
          label="Name"
          hint={
            check
              ? `Watched by ${checkWords[check.type]}.`
              : 'Taken from the address. You can change it.'
          }
          error={errors['services.0.name']}
          className="min-w-40 flex-1 basis-40"
        >
          <Input
            spellCheck={false}
            autoComplete="off"
            placeholder={check ? serviceNameOf(check) : 'shop'}
            value={draft.serviceName}
            onChange={(event) => onChange({ serviceName: event.target.value })}
          />
        </Field>
      </div>
      <TestNow organizationSlug={organizationSlug} draft={draft} />
    </Step>
  );
}

type Result =
  | TargetTest
  | ({ kind: 'checked' } & CheckTest)
  | { kind: 'no_runner'; reason: string };

interface TestNowProps {
  organizationSlug: string;
  draft: WizardDraft;
}

/** Asks once and shows the answer unmodified: of a runner, or of a public URL while there is none. */
function TestNow({ organizationSlug, draft: { target, template, pool } }: TestNowProps) {
  const key = JSON.stringify([target, template, pool]);
  const [tested, setTested] = useState<{ key: string; result: Result } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const result = tested?.key === key ? tested.result : null;

  function test() {
    if (isPending || target.trim() === '') return;
    startTransition(async () => {
      const answer = await testTarget({ organizationSlug, target, template, pool });
      setProblem(answer.ok ? null : answer.error.message);
      if (answer.ok) setTested({ key, result: answer.data });
    });
  }

  return (
    <div className="flex flex-col items-start gap-2">
      <PendingButton
        size="sm"
        isPending={isPending}
        aria-disabled={target.trim() === '' || undefined}
        onClick={test}
      >
        Test now
      </PendingButton>
      <div role="status" className="w-full text-ui">
        {problem ? <p className="text-bad-fg">{problem}</p> : null}
        {result ? <Outcome result={result} pool={pool} /> : null}
      </div>
    </div>
  );
}

function Outcome({ result, pool }: { result: Result; pool: string }) {
  if (result.kind === 'checked') return <CheckFound test={result} />;
  if (result.kind === 'no_runner') {
    return (
      <p className="text-text-2">
        Only a runner can check this. {result.reason} You can connect one in step 3, or start: the
        first chain checks it.
      </p>
    );
  }
  if (result.kind === 'failed') {
    return <StatusBadge kind="service" state="down" reason={result.message} />;
  }
  const isGood = result.status < 400;
  return (
    <div className="flex flex-col gap-2">
      <StatusBadge
        kind="service"
        state={isGood ? 'healthy' : 'down'}
        reason={`${result.status} from ${result.address} in ${formatDuration(result.durationMs)}`}
      />
      <p className="text-text-2">
        Requested by Tierwatch itself: no runner in pool {pool} can check it yet.
      </p>
      {result.excerpt ? (
        <pre className="max-h-32 overflow-y-auto whitespace-pre-wrap wrap-anywhere rounded-control border border-line bg-sunken px-3 py-2 text-code">
          {result.excerpt}
        </pre>
      ) : null}
    </div>
  );
}
