'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Card } from '@/app/_components/ui/card';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { ErrorSummary, type SummaryError } from '@/app/_components/ui/error-summary';
import { Field } from '@/app/_components/ui/field';
import { Input, Select } from '@/app/_components/ui/input';
import { PendingButton } from '@/app/_components/ui/spinner';
import { SOURCE_KIND_WORDS } from '@/lib/signals/sentences';
import type { SignalSourceWithToken, SourceKind } from '@/lib/signals/source-schema';
import { addSignalSource } from '../actions';

interface AddSignalSourceProps {
  organizationSlug: string;
  project: string;
  href: string;
}

// Of the sentences, since the schema would bring zod into the page.
const KINDS = Object.keys(SOURCE_KIND_WORDS) as SourceKind[];

const SECRET_HINTS: Record<Exclude<SourceKind, 'alertmanager'>, string> = {
  grafana:
    'With one, every request has to be signed. In Grafana, set the timestamp header to X-Grafana-Alerting-Timestamp.',
  pagerduty: 'PagerDuty shows it when you create the subscription. You can enter it later.',
  generic: 'Of Standard Webhooks (whsec_…). Without one, the token is enough.',
};

export function AddSignalSource({ organizationSlug, project, href }: AddSignalSourceProps) {
  const router = useRouter();
  const [kind, setKind] = useState<SourceKind>('alertmanager');
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const [errors, setErrors] = useState<SummaryError[]>([]);
  const [made, setMade] = useState<SignalSourceWithToken | null>(null);
  const [isPending, startTransition] = useTransition();

  function add() {
    if (isPending) return;
    startTransition(async () => {
      const signingSecrets = kind === 'alertmanager' || secret.trim() === '' ? [] : [secret.trim()];
      const answer = await addSignalSource({
        organizationSlug,
        source: { project, kind, name, signingSecrets, mapping: {} },
      });
      if (!answer.ok) {
        setErrors(errorsOf(answer.error));
        return;
      }
      setErrors([]);
      setMade(answer.data);
      setName('');
      setSecret('');
      router.push(`${href}?source=${answer.data.id}`, { scroll: false });
    });
  }

  const errorOf = (field: string) => errors.find(({ fieldId }) => fieldId === field)?.message;
  return (
    <Card title="Add an alert source">
      <div className="flex flex-col gap-4">
        {made ? <TokenOnce name={made.name} token={made.token} /> : null}
        <ErrorSummary errors={errors} />
        <Field id="alert-kind" label="Sender" className="max-w-140">
          <Select
            value={kind}
            onChange={(event) =>
              setKind(KINDS.find((each) => each === event.target.value) ?? 'generic')
            }
          >
            {KINDS.map((each) => (
              <option key={each} value={each}>
                {SOURCE_KIND_WORDS[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field id="alert-name" label="Name" error={errorOf('alert-name')} className="max-w-140">
          <Input
            autoComplete="off"
            placeholder="Production Alertmanager"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        {kind === 'alertmanager' ? null : (
          <Field
            id="alert-secret"
            label="Signing secret"
            isOptional
            hint={SECRET_HINTS[kind]}
            error={errorOf('alert-secret')}
            className="max-w-140"
          >
            <Input
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={secret}
              onChange={(event) => setSecret(event.target.value)}
            />
          </Field>
        )}
        <PendingButton
          look="primary"
          isPending={isPending}
          onClick={add}
          className="self-start"
          icon={Plus}
        >
          Add alert source
        </PendingButton>
      </div>
    </Card>
  );
}

function errorsOf(error: { message: string; fields: Record<string, string> }): SummaryError[] {
  const fields = Object.entries(error.fields);
  if (fields.length === 0) return [{ fieldId: null, message: error.message }];
  return fields.map(([path, message]) => ({
    fieldId: path.includes('ecret') ? 'alert-secret' : 'alert-name',
    message,
  }));
}

/** The token of a source, the only time that it is shown. */
export function TokenOnce({ name, token }: { name: string; token: string }) {
  return (
    <div role="status" className="flex flex-col gap-2">
      <p>
        <span className="wrap-anywhere font-medium">The token of {name}</span> is shown only once.
        Copy it now.
      </p>
      <CodeBlock label="token" value={token}>
        {token}
      </CodeBlock>
    </div>
  );
}
