'use client';

import { CircleCheck, CirclePause, KeyRound, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { DefinitionList } from '@/app/_components/ui/definition-list';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { SafeText } from '@/app/_components/ui/safe-text';
import { useAct } from '@/app/_components/ui/use-act';
import type { Refusal } from '@/app/(dashboard)/[orgSlug]/_components/permission';
import { formatCounted } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';
import type { SignalRequestDto } from '@/lib/signals/request-schema';
import { requestSentence, SOURCE_KIND_WORDS } from '@/lib/signals/sentences';
import { setUpText } from '@/lib/signals/set-up-text';
import type { SignalSourceDto } from '@/lib/signals/source-schema';
import { changeSignalSource, deleteSignalSource, rotateSignalToken } from '../actions';
import { TokenOnce } from './add-signal-source';

interface SignalSourceDetailProps {
  organizationSlug: string;
  href: string;
  source: SignalSourceDto;
  deliveries: readonly SignalRequestDto[];
  refusal: Refusal;
}

export function SignalSourceDetail(props: SignalSourceDetailProps) {
  const { source, deliveries, refusal } = props;
  const setUp = setUpText(source);
  return (
    <>
      <Card title={<SafeText text={source.name} />} note={SOURCE_KIND_WORDS[source.kind]}>
        <div className="flex flex-col gap-4">
          <CodeBlock label="URL" value={source.url}>
            {source.url}
          </CodeBlock>
          <DefinitionList items={factsOf(source)} />
          <div className="flex flex-col gap-1">
            <p className="font-medium text-ui">Configuration of the sender</p>
            <CodeBlock label={setUp.label} value={setUp.text}>
              {setUp.text}
            </CodeBlock>
            {source.kind === 'alertmanager' ? (
              <p className="max-w-prose text-text-2 text-ui">
                Route an alert that always fires, such as Watchdog, to it as well: while it arrives,
                the path works.
              </p>
            ) : null}
          </div>
          {refusal ? null : <SourceActions {...props} />}
        </div>
      </Card>
      <Deliveries deliveries={deliveries} />
    </>
  );
}

function factsOf(source: SignalSourceDto) {
  const { signingSecretHints, tokenHint, previousTokenUntil } = source;
  return [
    {
      term: 'Authentication',
      value:
        signingSecretHints.length > 0
          ? `Signature, by ${formatCounted(signingSecretHints.length, 'secret')} ending in ${signingSecretHints.join(', ')}`
          : `Token ending in ${tokenHint}`,
    },
    ...(previousTokenUntil
      ? [
          {
            term: 'Previous token',
            value: (
              <>
                accepted until <Time at={previousTokenUntil} form="day" />
              </>
            ),
          },
        ]
      : []),
    { term: 'Stale after', value: `${formatSpan(source.staleSeconds)} without a message` },
  ];
}

function SourceActions({ organizationSlug, href, source }: SignalSourceDetailProps) {
  const router = useRouter();
  const [token, setToken] = useState<string | null>(null);
  const { act, sayDone } = useAct();
  const isDisabled = source.disabledAt !== null;
  const at = { organizationSlug, sourceId: source.id };

  const setEnabled = (isEnabled: boolean) => changeSignalSource({ ...at, changes: { isEnabled } });

  return (
    <>
      {token ? <TokenOnce name={source.name} token={token} /> : null}
      <div className="flex flex-wrap gap-2">
        <ConfirmDialog
          trigger={<Button icon={KeyRound}>Rotate token</Button>}
          title={`Rotate the token of ${source.name}`}
          look="primary"
          confirmLabel="Rotate token"
          effects={[
            'The new token is shown once.',
            'The current one is accepted for another 24 hours.',
            ...(source.previousTokenUntil === null
              ? []
              : ['The one before it, which is still accepted, stops working now.']),
          ]}
          onConfirm={async () => {
            const answer = await rotateSignalToken(at);
            if (answer.ok) setToken(answer.data.token);
            return answer;
          }}
        />
        {isDisabled ? (
          <Button
            onClick={() =>
              act(
                () => setEnabled(true),
                () => sayDone('Alert source enabled.'),
              )
            }
            icon={CircleCheck}
          >
            Enable
          </Button>
        ) : (
          <ConfirmDialog
            trigger={<Button icon={CirclePause}>Disable</Button>}
            title={`Disable ${source.name}`}
            look="primary"
            confirmLabel="Disable source"
            effects={['Everything that it sends is rejected, and its sender may drop it.']}
            onConfirm={() => setEnabled(false)}
          />
        )}
        <ConfirmDialog
          trigger={
            <Button look="danger" icon={Trash2}>
              Delete
            </Button>
          }
          title={`Delete ${source.name}`}
          confirmLabel="Delete source"
          effects={[
            'Its alerts and requests are deleted, too.',
            'Its address and token stop working immediately.',
          ]}
          onConfirm={async () => {
            const answer = await deleteSignalSource(at);
            return answer.ok ? router.push(href) : answer;
          }}
        />
      </div>
    </>
  );
}

function Deliveries({ deliveries }: { deliveries: readonly SignalRequestDto[] }) {
  return (
    <Card title="Last requests" isFlush>
      {deliveries.length === 0 ? (
        <EmptyState title="Nothing received yet.">
          Configure the sender as above. Each request appears here, also if it is rejected.
        </EmptyState>
      ) : (
        <ul>
          {deliveries.map((delivery) => (
            <li
              key={delivery.id}
              className="flex flex-col gap-1 border-line border-t px-4 py-2 text-ui first:border-t-0"
            >
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <StatusBadge kind="alert_delivery" state={delivery.state} />
                <Time at={delivery.receivedAt} />
                <span className="min-w-0">{requestSentence(delivery)}</span>
                {delivery.repeats > 0 ? (
                  <span className="text-text-3">
                    and {formatCounted(delivery.repeats, 'time')} more
                  </span>
                ) : null}
              </div>
              {delivery.excerpt ? (
                <details>
                  <summary className="cursor-pointer text-text-2">Body</summary>
                  <pre className="mt-1 max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-control border border-line bg-sunken px-3 py-2 text-code">
                    <SafeText text={delivery.excerpt} />
                  </pre>
                </details>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
