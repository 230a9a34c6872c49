'use client';

import { useRef } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Field } from '@/app/_components/ui/field';
import { Textarea } from '@/app/_components/ui/input';
import { unknownPlaceholders } from '@/lib/projects/prompt-placeholders';
import type { TierPolicy } from '@/lib/projects/schema';
import { useSetting } from './settings-context';
import { TextDifference } from './text-difference';

/** What ships for a tier: the text, and what one's own may have filled in. */
export interface ShippedPrompt {
  body: string;
  inputs: readonly string[];
}

interface TierPromptProps {
  policy: TierPolicy;
  shipped: ShippedPrompt;
  isLocked: boolean;
  /** Null goes back to the shipped one. */
  onChange: (prompt: string | null) => void;
  error: string | undefined;
}

const MEANINGS: Record<string, string> = {
  project: 'the project’s name',
  affected: 'the affected services',
  request: 'instructions given when the chain was started; often empty',
};

export function TierPrompt(props: TierPromptProps) {
  const { policy, shipped, isLocked, onChange } = props;
  const { label } = useSetting('tiers.prompt');
  const field = useRef<HTMLTextAreaElement>(null);
  const isOwn = policy.prompt !== null;
  const body = policy.prompt ?? shipped.body;
  const id = `tiers.${policy.tier - 1}.prompt`;
  const unknown = unknownPlaceholders(body, shipped.inputs);
  const problem =
    unknown.length > 0
      ? `There is no variable ${unknown.map((name) => `{{${name}}}`).join(', ')}. Use ${shipped.inputs.map((name) => `{{${name}}}`).join(', ')}.`
      : props.error;

  function insert(name: string) {
    const at = field.current?.selectionStart ?? body.length;
    onChange(`${body.slice(0, at)}{{${name}}}${body.slice(at)}`);
    field.current?.focus();
  }

  return (
    <Card
      title="Prompt"
      note={isOwn ? 'the project’s own' : 'default'}
      actions={
        isLocked ? null : isOwn ? (
          <ConfirmDialog
            trigger={<Button size="sm">Reset to default…</Button>}
            title={`Reset the prompt of tier ${policy.tier}`}
            look="primary"
            confirmLabel="Reset to default"
            effects={['This is what changes. It takes effect with the next save.']}
            onConfirm={async () => onChange(null)}
          >
            <TextDifference
              label="From your prompt to the default"
              before={body.trim()}
              after={shipped.body.trim()}
            />
          </ConfirmDialog>
        ) : (
          <Button size="sm" onClick={() => onChange(shipped.body)}>
            Write your own
          </Button>
        )
      }
    >
      <Field id={id} label={label} error={problem}>
        <Textarea
          ref={field}
          rows={10}
          readOnly={!isOwn}
          spellCheck={isOwn}
          value={body}
          onChange={(event) => onChange(event.target.value)}
          className="font-mono text-code"
        />
      </Field>
      <dl className="mt-3 grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-3 gap-y-1 text-ui">
        {shipped.inputs.map((name) => (
          <div key={name} className="contents">
            <dt>
              {isOwn && !isLocked ? (
                <Button size="sm" aria-label={`Insert {{${name}}}`} onClick={() => insert(name)}>
                  <code className="text-code">{`{{${name}}}`}</code>
                </Button>
              ) : (
                <code className="text-code">{`{{${name}}}`}</code>
              )}
            </dt>
            <dd className="text-text-2">{MEANINGS[name] ?? name}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
