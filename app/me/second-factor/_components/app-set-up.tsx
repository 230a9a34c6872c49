'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { CodeInput } from '@/app/_components/proof/code-input';
import { useProof } from '@/app/_components/proof/use-proof';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { FormProblem } from '@/app/_components/ui/field';
import { PendingButton } from '@/app/_components/ui/spinner';
import { addApp, startApp } from '../actions';

interface Begun {
  secret: string;
  qr: { size: number; path: string };
}

/** From nothing to an authenticator app: the QR code, then a code of the app. */
export function AppSetUp({ onCodes }: { onCodes: (codes: string[] | null) => void }) {
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
