'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { toast } from 'sonner';
import type { ActionResult } from '@/app/_actions/result';
import { makePasskey } from '@/app/_components/proof/ask-passkey';
import { CodeInput } from '@/app/_components/proof/code-input';
import { useProof } from '@/app/_components/proof/use-proof';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { LazyConfirmDialog } from '@/app/_components/ui/lazy-confirm-dialog';
import { PendingButton } from '@/app/_components/ui/spinner';
import type { FactorsDto } from '@/lib/identity/factors/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { addApp, addPasskey, removeApp, removePasskey, startApp, startPasskey } from '../actions';
import { RecoveryCodes, RenewRecoveryCodes } from './recovery-codes';

interface FactorCardsProps {
  factors: FactorsDto;
  /** An organization that requires a second factor, by name; null: none does. */
  requiredBy: string | null;
}

export function FactorCards({ factors, requiredBy }: FactorCardsProps) {
  const { totp, passkeys, recoveryCodesLeft } = factors;
  // Here, since the page is refreshed behind them.
  const [codes, setCodes] = useState<string[] | null>(null);
  const count = passkeys.length + (totp ? 1 : 0);
  const lastRefusal = count === 1 && requiredBy ? `${requiredBy} requires it.` : null;
  return (
    <>
      {codes ? <RecoveryCodes codes={codes} onDone={() => setCodes(null)} /> : null}
      <Card title="Authenticator app" isFlush={totp !== null}>
        {totp ? (
          <ul aria-label="Authenticator app">
            <FactorRow
              name="Authenticator app"
              addedAt={totp.addedAt}
              lastUsedAt={totp.lastUsedAt}
              refusal={lastRefusal}
              isLast={count === 1}
              onRemove={() => removeApp({})}
            />
          </ul>
        ) : (
          <AppSetUp onCodes={setCodes} />
        )}
      </Card>
      <Card title="Passkeys" note={passkeys.length} isFlush={passkeys.length > 0}>
        {passkeys.length > 0 ? (
          <ul aria-label="Passkeys">
            {passkeys.map((passkey) => (
              <FactorRow
                key={passkey.id}
                {...passkey}
                refusal={lastRefusal}
                isLast={count === 1}
                onRemove={() => removePasskey({ passkeyId: passkey.id })}
              />
            ))}
          </ul>
        ) : (
          <p className="mb-4 max-w-prose text-text-2">
            A passkey is kept by this device, your password manager or a security key. It works on
            Tierwatch’s own address alone, so it can’t be phished.
          </p>
        )}
        <div className={passkeys.length > 0 ? 'border-line border-t p-4' : undefined}>
          <PasskeyForm onCodes={setCodes} />
        </div>
      </Card>
      {count > 0 ? (
        <Card title="Recovery codes" actions={<RenewRecoveryCodes onCodes={setCodes} />}>
          <p className="max-w-prose text-text-2">
            {recoveryCodesLeft === 0
              ? 'You have none left. Create new ones: without them, a lost device locks you out.'
              : `You have ${formatCounted(recoveryCodesLeft, 'recovery code')} left. Each signs you in once when your device is lost.`}
          </p>
        </Card>
      ) : null}
    </>
  );
}

interface FactorRowProps {
  name: string;
  addedAt: string;
  lastUsedAt: string | null;
  /** Why it can't be removed; null: it can. */
  refusal: string | null;
  /** No other second factor is left after it. */
  isLast: boolean;
  onRemove: () => Promise<ActionResult<void>>;
}

function FactorRow({ name, addedAt, lastUsedAt, ...rest }: FactorRowProps) {
  const { refusal, isLast, onRemove } = rest;
  const proof = useProof();
  const [isRemoved, setRemoved] = useState(false);

  async function remove() {
    const answer = await proof.run(onRemove);
    setRemoved(answer.ok);
    return answer;
  }

  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 first:border-t-0">
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="break-words font-medium">{name}</span>
        <span className="text-text-2 text-ui">
          Added <Time at={addedAt} form="day" isPlain />
          {lastUsedAt ? (
            <>
              , last used <Time at={lastUsedAt} isPlain />
            </>
          ) : (
            ', never used'
          )}
        </span>
      </span>
      {refusal ? <span className="text-meta text-text-3">{refusal}</span> : null}
      <LazyConfirmDialog
        trigger={(open) => (
          <Button
            size="sm"
            disabled={refusal !== null || isRemoved}
            aria-label={`Remove ${name}`}
            aria-haspopup="dialog"
            onClick={open}
          >
            Remove
          </Button>
        )}
        title={`Remove ${name}`}
        confirmLabel="Remove"
        effects={
          isLast
            ? [
                'Your account has no second factor then: a password or a provider alone signs you in.',
                'Your recovery codes stop working.',
              ]
            : ['It can no longer be used to sign in. Your other second factors stay.']
        }
        done={`${name} removed.`}
        onConfirm={remove}
      />
      {proof.dialog}
    </li>
  );
}

/** Names a passkey and has the browser make it. */
function PasskeyForm({ onCodes }: { onCodes: (codes: string[] | null) => void }) {
  const router = useRouter();
  const proof = useProof();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  async function add(): Promise<string | null> {
    if (name.trim() === '') return 'Enter a name, such as “Work laptop”.';
    const options = await proof.run(() => startPasskey({}));
    if (!options.ok) return options.error.message;
    const given = await makePasskey(options.data);
    if (!given.ok) return given.message;
    const answer = await addPasskey({ answer: { ...given.answer }, name });
    if (!answer.ok) return answer.error.message;
    setName('');
    toast.success('Passkey added.');
    if (answer.data.recoveryCodes) onCodes(answer.data.recoveryCodes);
    router.refresh();
    return null;
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    startTransition(async () => setProblem(await add()));
  }

  return (
    <form noValidate onSubmit={submit} className="flex items-end gap-2">
      <Field
        id="passkey-name"
        label="Name of the new passkey"
        error={problem}
        className="min-w-0 flex-1"
      >
        <Input
          autoComplete="off"
          placeholder="Work laptop"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <PendingButton type="submit" className={problem ? 'mb-6' : undefined} isPending={isPending}>
        Add passkey
      </PendingButton>
      {proof.dialog}
    </form>
  );
}

interface Begun {
  secret: string;
  qr: { size: number; path: string };
}

/** From nothing to an authenticator app: the QR code, then a code of the app. */
function AppSetUp({ onCodes }: { onCodes: (codes: string[] | null) => void }) {
  const router = useRouter();
  const proof = useProof();
  const [begun, setBegun] = useState<Begun | null>(null);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, startTransition] = useTransition();

  function begin() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await proof.run(() => startApp({}));
      setProblem(answer.ok ? null : answer.error.message);
      if (answer.ok) setBegun(answer.data);
    });
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const form = event.currentTarget;
    startTransition(async () => {
      const answer = await proof.run(() => addApp({ code }));
      if (!answer.ok) {
        setProblem(answer.error.message);
        form.querySelector<HTMLElement>('#app-code')?.focus();
        return;
      }
      toast.success('Authenticator app added. Other browsers were signed out.');
      onCodes(answer.data.recoveryCodes);
      router.refresh();
    });
  }

  if (!begun) {
    return (
      <div className="flex flex-col items-start gap-4">
        <p className="max-w-prose text-text-2">
          An app such as 1Password, Aegis or Google Authenticator shows a new 6-digit code every 30
          seconds.
        </p>
        <FormProblem text={problem} />
        <PendingButton isPending={isPending} onClick={begin}>
          Set up an app
        </PendingButton>
        {proof.dialog}
      </div>
    );
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-text-2">Scan the code with your app, or enter the key there.</p>
      <QrCode {...begun.qr} />
      <CodeBlock label="key" value={begun.secret}>
        {begun.secret.replace(/.{4}(?!$)/g, '$& ')}
      </CodeBlock>
      <CodeInput
        id="app-code"
        label="Code from the app"
        hint="The 6 digits it shows now."
        isAppOnly
        error={problem}
        value={code}
        onChange={setCode}
      />
      <PendingButton type="submit" look="primary" isPending={isPending} className="self-start">
        Add app
      </PendingButton>
      {proof.dialog}
    </form>
  );
}

/** Dark on light in both themes: many readers can't read the reverse. */
function QrCode({ size, path }: Begun['qr']) {
  return (
    <svg
      role="img"
      aria-label="QR code with the key below"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-control border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
