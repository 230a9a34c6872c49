'use client';

import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';

const CHECKED_CHARACTERS = 4;

interface TokenOnceProps {
  token: string;
  /** Of this installation. */
  url: string;
  onDone: () => void;
}

/** The token, the only time that it is shown. Typing its end shows that it was kept. */
export function TokenOnce({ token, url, onDone }: TokenOnceProps) {
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
        Copy it now. It can’t be shown again: only its hash is kept, so a lost token is replaced by
        a new one.
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
        hint="Type them from where you kept the token."
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className="w-32 font-mono"
          />
        )}
      </Field>
      <Button type="submit" look="primary" disabled={!isKept} className="self-end">
        I kept the token
      </Button>
    </form>
  );
}
