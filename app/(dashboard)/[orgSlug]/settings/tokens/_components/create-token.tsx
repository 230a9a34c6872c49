'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import type { ActionError } from '@/app/_actions/result';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field, FieldError, FormProblem } from '@/app/_components/ui/field';
import { Input, Select } from '@/app/_components/ui/input';
import { SegmentedChoice } from '@/app/_components/ui/segmented';
import { PendingButton } from '@/app/_components/ui/spinner';
import type { TokenScope } from '@/lib/identity/token-scopes';
import { createApiToken } from '../actions';
import { ScopeTable } from './scope-table';

/** From scopes and end to the token, which the same dialog shows once. */
export function CreateToken({ organizationSlug }: { organizationSlug: string }) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<{ token: string; url: string } | null>(null);

  function changeOpen(next: boolean) {
    setOpen(next);
    if (!next) setMade(null);
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={changeOpen}
      title={made ? 'Token created' : 'Create API token'}
      trigger={
        <Button look="primary" icon={Plus}>
          Create token
        </Button>
      }
    >
      {made ? (
        <TokenOnce {...made} onDone={() => changeOpen(false)} />
      ) : (
        <TokenForm
          organizationSlug={organizationSlug}
          onMade={(token) => {
            setMade(token);
            router.refresh();
          }}
        />
      )}
    </Dialog>
  );
}

const LIFETIMES = [7, 30, 90, 180, 365];
const PRESELECTED_DAYS = 90;

interface TokenFormProps {
  organizationSlug: string;
  onMade: (made: { token: string; url: string }) => void;
}

function TokenForm({ organizationSlug, onMade }: TokenFormProps) {
  const [name, setName] = useState('');
  const [days, setDays] = useState<number | null>(PRESELECTED_DAYS);
  const [reach, setReach] = useState<'chosen' | 'all'>('chosen');
  const [scopes, setScopes] = useState<TokenScope[]>([]);
  const proof = useProof();
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  const fields = error?.fields ?? {};

  /** Removes the errors of a changed field. */
  function forget(field: string) {
    if (!error) return;
    const { [field]: _, ...others } = error.fields;
    setError({ ...error, fields: others });
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const form = event.currentTarget;
    startTransition(async () => {
      const answer = await proof.run(() =>
        createApiToken({
          organizationSlug,
          name,
          expiresInDays: days,
          scopes: reach === 'all' ? ['all'] : scopes,
        }),
      );
      if (answer.ok) return onMade(answer.data);
      setError(answer.error);
      if (answer.error.fields.name) form.querySelector<HTMLElement>('#token-name')?.focus();
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid grid-cols-[minmax(0,1fr)_10rem] items-start gap-3 max-md:grid-cols-1">
        <Field id="token-name" label="Name" error={fields.name}>
          <Input
            autoComplete="off"
            placeholder="What will use it"
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              forget('name');
            }}
          />
        </Field>
        <Field id="token-days" label="Expires" error={fields.expiresInDays}>
          <Select
            value={days ?? ''}
            onChange={(event) => setDays(Number(event.target.value) || null)}
          >
            {LIFETIMES.map((lifetime) => (
              <option key={lifetime} value={lifetime}>
                in {lifetime} days
              </option>
            ))}
            <option value="">never</option>
          </Select>
        </Field>
      </div>
      <div className="flex flex-col gap-2">
        <span className="font-medium text-ui">Permissions</span>
        <SegmentedChoice
          label="Permissions"
          name="token-reach"
          value={reach}
          onChange={(next) => {
            setReach(next);
            forget('scopes');
          }}
          choices={[
            { value: 'chosen', label: 'Selected scopes' },
            { value: 'all', label: 'Everything' },
          ]}
        />
        {reach === 'all' ? (
          <p className="text-text-2 text-ui">
            Everything you can do: change projects and what each tier may do, revoke runners, create
            tokens.
          </p>
        ) : (
          <ScopeTable
            scopes={scopes}
            onChange={(next) => {
              setScopes(next);
              forget('scopes');
            }}
          />
        )}
        {fields.scopes ? <FieldError id="token-scopes-error" errors={[fields.scopes]} /> : null}
      </div>
      {proof.dialog}
      <FormProblem text={error && error.code !== 'invalid' ? error.message : null} />
      <PendingButton type="submit" look="primary" isPending={isPending} className="self-end">
        Create token
      </PendingButton>
    </form>
  );
}

const CHECKED_CHARACTERS = 4;

interface TokenOnceProps {
  token: string;
  /** Of this installation. */
  url: string;
  onDone: () => void;
}

/** The token, the only time that it is shown. Typing its end shows that it was kept. */
function TokenOnce({ token, url, onDone }: TokenOnceProps) {
  const [typed, setTyped] = useState('');
  const isKept = typed.trim() === token.slice(-CHECKED_CHARACTERS);
  const command = `curl -H "Authorization: Bearer $TIERWATCH_TOKEN" ${url}/api/v1/projects`;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isKept) onDone();
      }}
      className="flex flex-col gap-4"
    >
      <p className="text-text-2">
        Copy it now. It can’t be shown again: only its hash is kept, so replace a lost token with a
        new one.
      </p>
      <CodeBlock label="token" value={token}>
        {token}
      </CodeBlock>
      <div className="flex flex-col gap-1">
        <p className="text-text-2 text-ui">Programs send it as a bearer token:</p>
        <CodeBlock label="example" value={command}>
          {command}
        </CodeBlock>
      </div>
      <Field
        id="token-kept"
        label={`The token’s last ${CHECKED_CHARACTERS} characters`}
        hint="Type them from where you stored the token."
      >
        <Input
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="w-32 font-mono"
        />
      </Field>
      <Button type="submit" look="primary" disabled={!isKept} className="self-end">
        I stored the token
      </Button>
    </form>
  );
}
