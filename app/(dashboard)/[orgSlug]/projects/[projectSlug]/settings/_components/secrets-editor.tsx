'use client';

import { Plus, Trash2 } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import type { ProjectConfig } from '@/lib/projects/schema';
import { RuleList } from './rule-list';

type Secrets = ProjectConfig['secrets'];

interface SecretsEditorProps {
  secrets: Secrets;
  onChange: (secrets: Secrets) => void;
  isLocked: boolean;
  errorAt: (path: string) => string | undefined;
}

const TIERS = [1, 2, 3] as const;

/** Names only: the values are files on the runner’s host and never come here. */
export function SecretsEditor({ secrets, isLocked, onChange, errorAt }: SecretsEditorProps) {
  const replace = (index: number, next: Secrets[number]) =>
    onChange(secrets.map((secret, at) => (at === index ? next : secret)));
  return (
    <Card title="Secrets">
      <div className="flex flex-col gap-4">
        <p className="max-w-prose text-text-2 text-ui">
          Names of files in the runner’s secrets folder. Their contents are taken out of everything
          that the tiers you choose send. In a confined project, commands of the rules you name get
          them as a variable; the agent itself never does.
        </p>
        {secrets.map((secret, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may be empty or twice while it is typed
          <div key={index} className="flex flex-col gap-3">
            <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
              <Field
                id={`secrets.${index}.name`}
                label="Name"
                error={nameError(secret.name, errorAt(`secrets.${index}.name`))}
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
            <RuleList
              path={`secrets.${index}.rules`}
              label={`Given to commands of${secret.name === '' ? '' : ` (${secret.name})`}`}
              hint="Rules of these tiers, written exactly as there. Without any, no command gets the secret."
              placeholder="Bash(docker login {host})"
              rules={secret.rules}
              isLocked={isLocked}
              onChange={(rules) => replace(index, { ...secret, rules })}
              error={errorAt(`secrets.${index}.rules`)}
            />
          </div>
        ))}
        <Button
          size="sm"
          onClick={() => onChange([...secrets, { name: '', tiers: [2, 3], rules: [] }])}
          className="self-start"
        >
          <Plus aria-hidden /> Add a secret
        </Button>
      </div>
    </Card>
  );
}

/** The schema's own words for a pattern are none for people. */
function nameError(name: string, error: string | undefined): string | null {
  if (error === undefined) return null;
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? error : 'Use capitals, digits and underscores.';
}
