'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Card } from '@/app/_components/ui/card';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input, Textarea } from '@/app/_components/ui/input';
import { SafeText } from '@/app/_components/ui/safe-text';
import { PendingButton, Spinner } from '@/app/_components/ui/spinner';
import { useServerPreview } from '@/app/_components/ui/use-server-preview';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { SignalPreview } from '@/lib/signals/request-schema';
import { reasonSentence, resultSentence } from '@/lib/signals/sentences';
import type { SignalSourceDto } from '@/lib/signals/source-schema';
import { changeSignalSource, previewSignals } from '../actions';
import { formOf, MAPPING_PATHS, type MappingForm, mappingOf } from './mapping-form';

interface SignalMappingProps {
  organizationSlug: string;
  source: SignalSourceDto;
  refusal: Refusal;
}

const INTRODUCTIONS: Record<SignalSourceDto['kind'], string> = {
  alertmanager: 'Alertmanager’s own messages need no paths. They are for a custom payload.',
  grafana: 'Grafana’s own messages need no paths. They are for a custom payload.',
  pagerduty: 'PagerDuty’s own messages need no paths.',
  generic: 'A path that is empty is looked up under the usual names, such as title and status.',
};

/** Where the fields are in the body, with a preview of a sample. */
export function SignalMapping({ organizationSlug, source, refusal }: SignalMappingProps) {
  const router = useRouter();
  const [form, setForm] = useState(() => formOf(source.mapping));
  const [body, setBody] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();
  const change = (changes: Partial<MappingForm>) =>
    setForm((before) => ({ ...before, ...changes }));

  function save() {
    if (isPending) return;
    startTransition(async () => {
      const changes = { mapping: mappingOf(form) };
      const answer = await changeSignalSource({ organizationSlug, sourceId: source.id, changes });
      setProblem(answer.ok ? null : answer.error.message);
      if (!answer.ok) return;
      toast.success('Mapping saved.');
      router.refresh();
    });
  }

  return (
    <Card title="Mapping">
      <div className="flex flex-col gap-4">
        <p className="max-w-prose text-text-2">{INTRODUCTIONS[source.kind]}</p>
        <fieldset disabled={refusal !== null} className="flex min-w-0 flex-col gap-4">
          <legend className="sr-only">Paths</legend>
          <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
            {MAPPING_PATHS.map(([key, label, example]) => (
              <Field key={key} id={`mapping-${key}`} label={label} isOptional>
                <Input
                  spellCheck={false}
                  autoComplete="off"
                  placeholder={example}
                  value={form.paths[key] ?? ''}
                  onChange={(event) =>
                    change({ paths: { ...form.paths, [key]: event.target.value } })
                  }
                />
              </Field>
            ))}
            <Field id="mapping-firing" label="Statuses that mean firing" isOptional>
              <Input
                placeholder="CRITICAL, DOWN"
                value={form.firingValues}
                onChange={(event) => change({ firingValues: event.target.value })}
              />
            </Field>
            <Field id="mapping-resolved" label="Statuses that mean resolved" isOptional>
              <Input
                placeholder="OK, UP"
                value={form.resolvedValues}
                onChange={(event) => change({ resolvedValues: event.target.value })}
              />
            </Field>
          </div>
          <Field
            id="mapping-services"
            label="Names of services"
            isOptional
            hint="One a line, where the source uses another name than the project: shop-frontend = web"
          >
            <Textarea
              rows={3}
              spellCheck={false}
              value={form.serviceNames}
              onChange={(event) => change({ serviceNames: event.target.value })}
            />
          </Field>
        </fieldset>
        <Field
          id="mapping-sample"
          label="Sample body"
          isOptional
          hint="Paste a body as the sender posts it. Nothing is stored."
        >
          <Textarea
            rows={6}
            spellCheck={false}
            className="font-mono text-code"
            value={body}
            onChange={(event) => setBody(event.target.value)}
          />
        </Field>
        {body.trim() === '' ? null : (
          <Preview
            organizationSlug={organizationSlug}
            sourceId={source.id}
            body={body}
            form={form}
          />
        )}
        <FormProblem text={problem} />
        {refusal ? null : (
          <PendingButton isPending={isPending} onClick={save} className="self-start">
            Save mapping
          </PendingButton>
        )}
      </div>
    </Card>
  );
}

interface PreviewProps {
  organizationSlug: string;
  sourceId: string;
  body: string;
  form: MappingForm;
}

function Preview({ organizationSlug, sourceId, body, form }: PreviewProps) {
  const input = { organizationSlug, sourceId, preview: { body, mapping: mappingOf(form) } };
  const preview = useServerPreview(previewSignals, input);
  return (
    <div role="status" className="flex flex-col gap-2 text-ui">
      {preview ? <PreviewResult preview={preview} /> : <Spinner />}
    </div>
  );
}

function PreviewResult({ preview }: { preview: SignalPreview }) {
  const { result, reason, alerts } = preview;
  if (result === 'unparsed') {
    return <p>Not readable. {reason ? reasonSentence(reason) : null}</p>;
  }
  if (result !== 'alerts') return <p>{resultSentence(result)}</p>;
  return (
    <ul className="flex flex-col gap-2">
      {alerts.map((signal) => (
        <li
          key={`${signal.fingerprint} ${signal.status}`}
          className="flex flex-wrap items-center gap-x-3 gap-y-1"
        >
          <StatusBadge kind="alert" state={signal.status} />
          <span className="wrap-anywhere min-w-0 font-medium">
            <SafeText text={signal.title ?? 'The end of an alert'} />
          </span>
          <span className="wrap-anywhere min-w-0 text-text-3">
            {signal.severity} · service{' '}
            <SafeText
              text={
                signal.service ??
                (signal.serviceText ? `${signal.serviceText} (not in this project)` : 'none')
              }
            />
            {' · '}
            <SafeText text={signal.fingerprint} />
          </span>
        </li>
      ))}
    </ul>
  );
}
