'use client';

import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { serviceNameOf } from '@/lib/projects/check-of-target';
import type { CheckSpec } from '@/lib/protocol/spec';
import { CHECK_TYPES } from '../../_components/check-fields';
import type { WizardDraft } from './kept-draft';
import { Step } from './step';
import { TargetTest } from './target-test';

interface WatchStepProps {
  organizationSlug: string;
  draft: WizardDraft;
  /** What the typed target means; null while it means nothing. */
  check: CheckSpec | null;
  errors: Record<string, string>;
  onChange: (changes: Partial<WizardDraft>) => void;
}

/** A name for the project, and the first service it watches. */
export function WatchStep({ organizationSlug, draft, check, errors, onChange }: WatchStepProps) {
  return (
    <Step number={1} title="What to watch">
      <Field id="name" label="Project" error={errors.name} className="max-w-80">
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            placeholder="Checkout"
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
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
              onChange={(event) => onChange({ target: event.target.value })}
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
              onChange={(event) => onChange({ serviceName: event.target.value })}
            />
          )}
        </Field>
      </div>
      <TargetTest organizationSlug={organizationSlug} target={draft.target} />
    </Step>
  );
}
