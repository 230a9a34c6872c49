'use client';

import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { Field } from '@/app/_components/ui/field';
import { Textarea } from '@/app/_components/ui/textarea';
import type { TierPolicy } from '@/lib/projects/schema';

interface TierPromptProps {
  policy: TierPolicy;
  /** What ships with the product. */
  shipped: string;
  isLocked: boolean;
  /** Null goes back to the shipped one. */
  onChange: (prompt: string | null) => void;
  error: string | undefined;
}

export function TierPrompt({ policy, shipped, isLocked, onChange, error }: TierPromptProps) {
  const isOwn = policy.prompt !== null;
  const id = `tiers.${policy.tier - 1}.prompt`;
  return (
    <Card
      title="Prompt"
      note={isOwn ? 'the project’s own' : 'default'}
      actions={
        isLocked ? null : isOwn ? (
          <Button size="sm" onClick={() => onChange(null)}>
            Reset to default
          </Button>
        ) : (
          <Button size="sm" onClick={() => onChange(shipped)}>
            Write your own
          </Button>
        )
      }
    >
      <Field
        id={id}
        label="Task of this tier"
        hint="Words in double braces are filled in at the start: {{project}}, {{affected}}, {{request}}."
        error={error}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={10}
            readOnly={!isOwn}
            spellCheck={isOwn}
            value={policy.prompt ?? shipped}
            onChange={(event) => onChange(event.target.value)}
            className="font-mono text-code"
          />
        )}
      </Field>
    </Card>
  );
}
