'use client';

import { Plus, Trash2 } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import type { ProjectConfig } from '@/lib/projects/schema';

type Secrets = ProjectConfig['secrets'];

interface SecretsEditorProps {
  secrets: Secrets;
  onChange: (secrets: Secrets) => void;
  errorAt: (path: string) => string | undefined;
}

const TIERS = [1, 2, 3] as const;

/** Names only: the values are files on the runner’s host and never come here. */
export function SecretsEditor({ secrets, onChange, errorAt }: SecretsEditorProps) {
  const replace = (index: number, next: Secrets[number]) =>
    onChange(secrets.map((secret, at) => (at === index ? next : secret)));
  return (
    <Card title="Secrets">
      <div className="flex flex-col gap-4">
        <p className="max-w-prose text-text-2 text-ui">
          Names of files in the runner’s secrets folder. Each is given to the tiers you choose, and
          its contents are taken out of everything that leaves the host.
        </p>
        {secrets.map((secret, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may be empty or twice while it is typed
          <div key={index} className="flex flex-wrap items-end gap-x-4 gap-y-2">
            <Field
              id={`secrets.${index}.name`}
              label="Name"
              error={
                errorAt(`secrets.${index}.name`) ? 'Use capitals, digits and underscores.' : null
              }
              className="min-w-52 flex-1"
            >
              {(control) => (
                <Input
                  {...control}
                  spellCheck={false}
                  placeholder="DB_PASSWORD"
                  value={secret.name}
                  onChange={(event) => replace(index, { ...secret, name: event.target.value })}
                  className="font-mono text-code"
                />
              )}
            </Field>
            <div className="flex h-control items-center gap-3">
              {TIERS.map((tier) => (
                <CheckboxField
                  key={tier}
                  label={`Tier ${tier}`}
                  checked={secret.tiers.includes(tier)}
                  onChange={(event) =>
                    replace(index, {
                      ...secret,
                      tiers: TIERS.filter((each) =>
                        each === tier ? event.target.checked : secret.tiers.includes(each),
                      ),
                    })
                  }
                />
              ))}
              <Button
                look="quiet"
                size="icon"
                aria-label={`Remove ${secret.name || 'this secret'}`}
                onClick={() => onChange(secrets.filter((_, at) => at !== index))}
              >
                <Trash2 aria-hidden />
              </Button>
            </div>
          </div>
        ))}
        <Button
          size="sm"
          onClick={() => onChange([...secrets, { name: '', tiers: [2, 3] }])}
          className="self-start"
        >
          <Plus aria-hidden /> Add a secret
        </Button>
      </div>
    </Card>
  );
}
