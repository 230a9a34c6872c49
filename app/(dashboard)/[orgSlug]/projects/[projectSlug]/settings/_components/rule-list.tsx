'use client';

import { CircleCheck, CircleX, Plus, TriangleAlert, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { cn } from '@/app/_components/ui/cn';
import { FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import type { RuleHelp } from '@/lib/projects/rules/help';
import type { RuleExample } from '@/lib/projects/rules/rule-examples';

interface RuleListProps {
  /** The path of the list: `tiers.1.allowedTools`. */
  path: string;
  label: string;
  hint: string;
  /** A warning about the whole list. */
  notice?: string | null;
  placeholder: string;
  rules: readonly string[];
  /** Shows the whole list, and nothing to change it by. */
  isLocked: boolean;
  onChange: (rules: string[]) => void;
  /** A sentence for a rule that allows more than it looks like. */
  warningOf?: (rule: string) => string | null;
  /** Why this one may not be added; null lets it in. */
  refusalOf?: (rule: string) => string | null;
  /** What the typed rule matches and misses, while it is typed. */
  helpOf?: (rule: string) => RuleHelp | null;
  /** Commands that the typed rule allows and refuses. */
  examplesOf?: ((rule: string) => readonly RuleExample[]) | undefined;
  /** A control that puts a rule into the field. */
  offer?: ((use: (rule: string) => void) => ReactNode) | undefined;
  error?: string | undefined;
}

/** Rules as rows, a field to add one at the end. */
export function RuleList(props: RuleListProps) {
  const { path, label, hint, notice, placeholder, rules, isLocked, onChange, error } = props;
  const { warningOf, refusalOf, helpOf, examplesOf, offer } = props;
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function add() {
    const rule = typed.trim();
    if (rule === '') return;
    const refusal =
      refusalOf?.(rule) ?? (rules.includes(rule) ? `${rule} is already in the list.` : null);
    setProblem(refusal);
    if (refusal) return;
    onChange([...rules, rule]);
    setTyped('');
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  }

  const shownProblem = problem ?? error;
  const help = typed.trim() === '' ? null : (helpOf?.(typed.trim()) ?? null);
  const examples = help ? (examplesOf?.(typed.trim()) ?? []) : [];
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={isLocked ? undefined : path} className="font-medium text-ui">
        {label} <span className="font-normal text-text-3 tabular-nums">{rules.length}</span>
      </label>
      <p id={`${path}-hint`} className="max-w-prose text-text-2 text-ui">
        {hint}
      </p>
      {notice ? <Warning text={notice} /> : null}
      {rules.length > 0 ? (
        <ul
          className={cn(
            'divide-y divide-line rounded-control border border-line',
            !isLocked && 'max-h-72 overflow-y-auto',
          )}
        >
          {rules.map((rule) => {
            const warning = warningOf?.(rule) ?? null;
            return (
              <li key={rule} className="flex items-start gap-2 py-0.5 pr-0.5 pl-2.5">
                <span className="flex min-w-0 flex-1 flex-col py-1">
                  <code className="wrap-anywhere text-code">{rule}</code>
                  {warning ? <Warning text={warning} /> : null}
                </span>
                {isLocked ? null : (
                  <Button
                    look="quiet"
                    size="icon-sm"
                    aria-label={`Remove ${rule}`}
                    onClick={() => onChange(rules.filter((known) => known !== rule))}
                  >
                    <X aria-hidden />
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      ) : (
        <p className="text-text-3 text-ui">None.</p>
      )}
      {isLocked ? null : (
        <div className="flex gap-2">
          <Input
            id={path}
            aria-describedby={`${path}-hint${shownProblem ? ` ${path}-error` : ''}`}
            aria-invalid={shownProblem ? true : undefined}
            spellCheck={false}
            autoComplete="off"
            placeholder={placeholder}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setProblem(null);
            }}
            onKeyDown={onKeyDown}
            className="font-mono text-code"
          />
          <Button onClick={add} icon={Plus}>
            Add
          </Button>
          {offer?.((rule) => {
            setTyped(rule);
            setProblem(null);
          })}
        </div>
      )}
      {help && !shownProblem ? (
        <p role="status" className="max-w-prose text-text-2 text-ui">
          Matches {help.matches} {help.misses}
        </p>
      ) : null}
      {examples.length > 0 && !shownProblem ? <ExampleList examples={examples} /> : null}
      {shownProblem ? <FieldError id={`${path}-error`} errors={[shownProblem]} /> : null}
    </div>
  );
}

function ExampleList({ examples }: { examples: readonly RuleExample[] }) {
  return (
    <div className="flex max-w-prose flex-col gap-0.5 text-ui">
      <p className="text-text-2">In the sandbox, with a service named web:</p>
      <ul aria-label="Examples" className="flex flex-col gap-0.5">
        {examples.map(({ command, refusal }) => {
          const Icon = refusal === null ? CircleCheck : CircleX;
          return (
            <li key={command} className="flex items-start gap-1.5">
              <Icon
                aria-hidden
                className={cn(
                  'mt-px size-4 shrink-0',
                  refusal === null ? 'text-ok-mark' : 'text-text-3',
                )}
              />
              <span className="min-w-0">
                <code className="wrap-anywhere text-code">{command}</code>{' '}
                <span className="text-text-2">{refusal === null ? 'is allowed.' : refusal}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export function Warning({ text }: { text: string }) {
  return (
    <span className="flex items-start gap-1.5 text-ui text-wait-fg">
      <TriangleAlert aria-hidden className="mt-px size-4 shrink-0 text-wait-mark" />
      {text}
    </span>
  );
}
