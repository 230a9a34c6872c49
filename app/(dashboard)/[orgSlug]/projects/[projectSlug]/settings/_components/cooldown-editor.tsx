'use client';

import { Plus, Trash2 } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/select';
import type { CooldownRule } from '@/lib/projects/schema';
import { NumberInput } from '../../../_components/number-input';
import { SpanInput } from '../../../_components/span-input';
import { limitSentence } from './cooldown-limits';

interface CooldownEditorProps {
  cooldowns: readonly CooldownRule[];
  onChange: (cooldowns: CooldownRule[]) => void;
  errorAt: (path: string) => string | undefined;
}

const NEW_RULE: CooldownRule = { action: 'restart', limit: 2, windowSeconds: 14_400 };

export function CooldownEditor({ cooldowns, onChange, errorAt }: CooldownEditorProps) {
  const replace = (index: number, next: CooldownRule) =>
    onChange(cooldowns.map((rule, at) => (at === index ? next : rule)));
  return (
    <Card title="Cooldowns">
      <div className="flex flex-col gap-4">
        <p className="max-w-prose text-text-2 text-ui">
          How often one service may be restarted or redeployed. A start gets no rules for actions
          that are used up, and exceeding a limit stops the attempt.
        </p>
        {cooldowns.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be alike while they are typed
          <div key={index} className="flex flex-wrap items-end gap-x-3 gap-y-2">
            <Field
              id={`cooldowns.${index}.limit`}
              label="At most"
              error={errorAt(`cooldowns.${index}.limit`)}
            >
              {(control) => (
                <NumberInput
                  {...control}
                  value={rule.limit}
                  onChange={(limit) => replace(index, { ...rule, limit: limit ?? Number.NaN })}
                  className="w-20"
                />
              )}
            </Field>
            <Field id={`cooldowns.${index}.action`} label="Action" className="w-36">
              {(control) => (
                <Select
                  {...control}
                  value={rule.action}
                  onChange={(event) =>
                    replace(index, {
                      ...rule,
                      action: event.target.value === 'redeploy' ? 'redeploy' : 'restart',
                    })
                  }
                >
                  <option value="restart">restarts</option>
                  <option value="redeploy">redeployments</option>
                </Select>
              )}
            </Field>
            <Field
              id={`cooldowns.${index}.windowSeconds`}
              label="Per service, in"
              error={errorAt(`cooldowns.${index}.windowSeconds`)}
            >
              {(control) => (
                <SpanInput
                  {...control}
                  value={rule.windowSeconds}
                  onChange={(windowSeconds) => replace(index, { ...rule, windowSeconds })}
                />
              )}
            </Field>
            <p className="flex h-control min-w-0 flex-1 items-center text-text-2 text-ui">
              {limitSentence(rule)}
            </p>
            <Button
              look="quiet"
              size="icon"
              aria-label={`Remove this cooldown: ${limitSentence(rule)}`}
              onClick={() => onChange(cooldowns.filter((_, at) => at !== index))}
            >
              <Trash2 aria-hidden />
            </Button>
          </div>
        ))}
        <Button size="sm" onClick={() => onChange([...cooldowns, NEW_RULE])} className="self-start">
          <Plus aria-hidden /> Add a cooldown
        </Button>
      </div>
    </Card>
  );
}
