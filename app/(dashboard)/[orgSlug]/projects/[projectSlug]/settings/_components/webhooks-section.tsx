'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import type { StateOf } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { ErrorSummary, type SummaryError } from '@/app/_components/ui/error-summary';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { Link } from '@/app/_components/ui/link';
import { Spinner } from '@/app/_components/ui/spinner';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import type { EndpointDto } from '@/lib/deliveries/endpoints/schema';
import type { WebhookEventType } from '@/lib/deliveries/schema';
import { addWebhook } from '../actions';

interface WebhooksSectionProps {
  organizationSlug: string;
  /** `prj_…` */
  projectId: string;
  endpoints: readonly EndpointDto[];
  eventTypes: readonly WebhookEventType[];
  refusal: Refusal;
}

const PRESET: readonly WebhookEventType[] = ['chain.completed', 'chain.needs_human'];

export function WebhooksSection(props: WebhooksSectionProps) {
  const { organizationSlug, endpoints, refusal } = props;
  return (
    <>
      <Card title="Endpoints of this project" note={endpoints.length || undefined} isFlush>
        {endpoints.length === 0 ? (
          <EmptyState title="No endpoints yet.">
            An endpoint receives a signed message when a chain ends, needs a human, and for other
            events.
          </EmptyState>
        ) : (
          <ul>
            {endpoints.map((endpoint) => (
              <li
                key={endpoint.id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 text-ui first:border-t-0"
              >
                <StatusBadge kind="webhook_endpoint" state={stateOf(endpoint)} />
                <Link
                  href={`/${organizationSlug}/webhooks/${endpoint.id}`}
                  className="min-w-0 wrap-anywhere font-medium"
                >
                  {endpoint.url}
                </Link>
                <span className="text-text-3">
                  {endpoint.eventTypes.join(', ')}
                  {endpoint.projectId ? '' : ' · every project'}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {refusal ? <p className="text-text-2 text-ui">{refusal}</p> : <AddEndpoint {...props} />}
    </>
  );
}

function AddEndpoint({ organizationSlug, projectId, eventTypes }: WebhooksSectionProps) {
  const router = useRouter();
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState(PRESET);
  const [errors, setErrors] = useState<SummaryError[]>([]);
  const [made, setMade] = useState<{ url: string; secret: string } | null>(null);
  const [isPending, startTransition] = useTransition();

  function add() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await addWebhook({
        organizationSlug,
        endpoint: { url, description: '', eventTypes: [...types], projectId },
      });
      if (!answer.ok) {
        const fields = Object.entries(answer.error.fields);
        setErrors(
          fields.length > 0
            ? fields.map(([path, message]) => ({ fieldId: path.replace('endpoint.', ''), message }))
            : [{ fieldId: null, message: answer.error.message }],
        );
        return;
      }
      setErrors([]);
      setMade({ url, secret: answer.data.secret });
      setUrl('');
      router.refresh();
    });
  }

  return (
    <Card title="Add an endpoint">
      <div className="flex flex-col gap-4">
        {made ? (
          <div role="status" className="flex flex-col gap-2">
            <p>
              <span className="font-medium">{made.url} is added.</span> Its signing secret is shown
              only once. Copy it now.
            </p>
            <CodeBlock label="secret" value={made.secret}>
              {made.secret}
            </CodeBlock>
          </div>
        ) : null}
        <ErrorSummary errors={errors} />
        <Field
          id="url"
          label="URL"
          error={errors.find((error) => error.fieldId === 'url')?.message}
          className="max-w-140"
        >
          {(control) => (
            <Input
              {...control}
              type="url"
              spellCheck={false}
              placeholder="https://hooks.acme.example/tierwatch"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <fieldset id="eventTypes">
          <legend className="mb-1 font-medium text-ui">Events</legend>
          <div className="grid grid-cols-2 gap-1 max-md:grid-cols-1">
            {eventTypes.map((type) => (
              <CheckboxField
                key={type}
                label={<code className="text-code">{type}</code>}
                checked={types.includes(type)}
                onChange={(event) =>
                  setTypes(
                    event.target.checked
                      ? [...types, type]
                      : types.filter((known) => known !== type),
                  )
                }
              />
            ))}
          </div>
        </fieldset>
        <Button
          look="primary"
          aria-disabled={isPending || undefined}
          onClick={add}
          className="self-start"
        >
          {isPending ? <Spinner /> : <Plus aria-hidden />} Add endpoint
        </Button>
      </div>
    </Card>
  );
}

function stateOf(endpoint: EndpointDto): StateOf<'webhook_endpoint'> {
  if (endpoint.disabledAt)
    return endpoint.disabledReason === 'by_hand' ? 'disabled' : 'disabled_auto';
  return endpoint.failingSince ? 'failing' : 'active';
}
