'use client';

import { BookOpen } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useId, useState } from 'react';
import { loadPart } from '@/app/_components/reach/load-part';
import { Button } from '@/app/_components/ui/button';
import { Card } from '@/app/_components/ui/card';
import { DocLink } from '@/app/_components/ui/doc-link';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import type { askFirstScope, brokeredWarning } from '@/lib/projects/rules/brokered-warning';
import { RULE_FORMS, ruleHelp } from '@/lib/projects/rules/help';
import {
  askFirstWarning,
  deadAllowRule,
  deadAskRule,
  deadRefuseRule,
  shadowWarning,
} from '@/lib/projects/rules/problems';
import { unfilledNotice, unfilledWarning } from '@/lib/projects/rules/reach';
import type { ruleExamples } from '@/lib/projects/rules/rule-examples';
import { isLockedTool, refusalsStandAlone, ruleWarning } from '@/lib/projects/rules/warnings';
import type { ProjectConfig, TierPolicy } from '@/lib/projects/schema';
import type { Isolation } from '@/lib/protocol/confinement';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { RuleList } from './rule-list';
import { useSettings } from './settings-context';

interface TierRulesProps {
  policy: TierPolicy;
  isolation: Isolation;
  /** Of the project; their checks fill placeholders. */
  services: readonly ServiceSpec[];
  isLocked: boolean;
  onChange: (changes: Partial<TierPolicy>) => void;
  errorAt: (path: string) => string | undefined;
}

/** Four lists: the tools the agent can see, what runs without asking, what asks first, what never runs. */
export function TierRules(props: TierRulesProps) {
  const { policy, isolation, services, isLocked, onChange, errorAt } = props;
  const settings = useSettings();
  const list = (field: 'tools' | 'allowedTools' | 'askFirstTools' | 'disallowedTools') => {
    const { label = field, hint = '' } = settings[`tiers.${field}`] ?? {};
    const path = `tiers.${policy.tier - 1}.${field}`;
    return {
      path,
      label,
      hint,
      isLocked,
      rules: policy[field],
      onChange: (next: string[]) => onChange({ [field]: next }),
      error: errorAt(path),
    };
  };
  const { tools, allowedTools, askFirstTools, disallowedTools } = policy;
  const isBrokered = isolation === 'confined';
  const broker = useBrokerHelp(isBrokered);
  return (
    <Card
      title="Tools and rules"
      actions={<DocLink to="tiers-and-policies#rules">How rules are written</DocLink>}
    >
      <div className="flex flex-col gap-6">
        <RuleList
          {...list('tools')}
          placeholder="Bash"
          refusalOf={(tool) =>
            isLockedTool(policy.tier, tool)
              ? `${tool} starts sub-agents. Only the control plane starts tiers.`
              : null
          }
        />
        <RuleList
          {...list('allowedTools')}
          notice={unfilledNotice(allowedTools, policy.tier, services)}
          placeholder="Bash(docker restart payments-db)"
          warningOf={(rule) =>
            deadAllowRule(rule, tools) ??
            shadowWarning(rule, allowedTools, disallowedTools, askFirstTools) ??
            unfilledWarning(rule, policy.tier, services) ??
            broker?.warningOf(rule) ??
            (isBrokered ? null : ruleWarning(rule))
          }
          refusalOf={(rule) => deadAllowRule(rule, tools)}
          helpOf={(rule) =>
            ruleHelp(rule, isBrokered && rule.startsWith('Bash') ? 'brokered' : 'allowed')
          }
          examplesOf={broker?.examplesOf}
          offer={
            isBrokered ? (use) => <ProgramButton list="allowed rules" onUse={use} /> : undefined
          }
        />
        <RuleList
          {...list('askFirstTools')}
          {...(isolation === 'open' && {
            hint: 'Commands that wait for a person’s approval. Only in a confined project.',
          })}
          notice={
            isolation === 'open' && askFirstTools.length > 0
              ? 'In an open project nothing can hold a command, so everything that begins with their plain words is denied.'
              : null
          }
          placeholder="Bash(docker stop {service})"
          warningOf={(rule) =>
            deadAskRule(rule, tools) ??
            askFirstWarning(rule, policy, isolation) ??
            unfilledWarning(rule, policy.tier, services) ??
            broker?.askScopeOf(rule) ??
            broker?.warningOf(rule) ??
            null
          }
          refusalOf={(rule) => deadAskRule(rule, tools)}
          helpOf={(rule) => ruleHelp(rule, 'asking')}
          offer={
            isBrokered
              ? (use) => <ProgramButton list="rules that ask first" onUse={use} />
              : undefined
          }
        />
        <RuleList
          {...list('disallowedTools')}
          {...(refusalsStandAlone(allowedTools, disallowedTools) && {
            hint: 'Denied rules are only a safety net: other spellings get through. Narrow the allowed rules instead.',
          })}
          placeholder="Bash(helm:*)"
          refusalOf={deadRefuseRule}
          helpOf={(rule) => ruleHelp(rule, 'refused')}
        />
        <RuleForms />
      </div>
    </Card>
  );
}

/** The forms a rule can have; collapsed by default. */
function RuleForms() {
  return (
    <details className="text-ui">
      <summary className="w-fit cursor-pointer text-link">What the forms of a rule match</summary>
      <dl className="mt-2 grid grid-cols-[minmax(0,16rem)_minmax(0,1fr)] gap-x-4 gap-y-1 max-md:grid-cols-1">
        {RULE_FORMS.map(({ form, matches }) => (
          <div key={form} className="contents">
            <dt>
              <code className="wrap-anywhere text-code">{form}</code>
            </dt>
            <dd className="text-text-2">{matches}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface BrokerHelp {
  warningOf: typeof brokeredWarning;
  /** For a rule that asks first. */
  askScopeOf: typeof askFirstScope;
  examplesOf: typeof ruleExamples;
}

/**
 * Returns what helps with rules of a confined project, once it is loaded: it needs the catalog of
 * programs, and most pages of settings don't.
 */
function useBrokerHelp(isWanted: boolean): BrokerHelp | null {
  const [help, setHelp] = useState<BrokerHelp | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    loadPart(() =>
      Promise.all([
        import('@/lib/projects/rules/brokered-warning'),
        import('@/lib/projects/rules/rule-examples'),
      ]),
    ).then(
      ([warning, examples]) => {
        if (isGone) return;
        setHelp({
          warningOf: warning.brokeredWarning,
          askScopeOf: warning.askFirstScope,
          examplesOf: examples.ruleExamples,
        });
      },
      // The page is older than the server: its rules are saved and judged there all the same.
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return isWanted ? help : null;
}

const ProgramCatalog = dynamic(
  async () => (await loadPart(() => import('./program-catalog'))).ProgramCatalog,
  // Without it the whole page would stand still until the code is here.
  { loading: () => null },
);

interface ProgramButtonProps {
  /** What the rules are for: `allowed rules`. */
  list: string;
  onUse: (rule: string) => void;
}

/** Opens the catalog of programs, which is loaded then. */
function ProgramButton({ list, onUse }: ProgramButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <>
      <Button
        aria-label={`Programs for ${list}`}
        onClick={() => {
          setWasOpen(true);
          setOpen(true);
        }}
        icon={BookOpen}
      >
        <span className="max-md:hidden">Programs</span>
      </Button>
      {wasOpen ? (
        <ProgramCatalog
          open={isOpen}
          onOpenChange={setOpen}
          onUse={(rule) => {
            onUse(rule);
            setOpen(false);
          }}
        />
      ) : null}
    </>
  );
}

/** With the catalog of programs, which the page needs for nothing else. */
const BrokeredVerdicts = dynamic(
  async () => (await loadPart(() => import('./brokered-verdicts'))).BrokeredVerdicts,
  { loading: () => null },
);

const UnconfinedVerdict = dynamic(
  async () => (await loadPart(() => import('./unconfined-verdict'))).UnconfinedVerdict,
  { loading: () => null },
);

const HINTS: Record<Isolation, string> = {
  open: 'Nothing is run. This is a prediction; the agent’s own matcher decides.',
  confined: 'Nothing is run. The command broker decides in the same way.',
};

interface TryCommandProps {
  policy: TierPolicy;
  /** The draft, saved or not. */
  config: ProjectConfig;
}

/** Whether a command would run under the rules in the form, saved or not. */
export function TryCommand({ policy, config }: TryCommandProps) {
  const id = useId();
  const [command, setCommand] = useState('');
  const isEmpty = command.trim() === '';
  const Verdict = config.isolation === 'open' ? UnconfinedVerdict : BrokeredVerdicts;
  return (
    <Card title="Try a command">
      <Field
        id={id}
        label={`Under the rules of tier ${policy.tier}`}
        hint={HINTS[config.isolation]}
      >
        <Input
          spellCheck={false}
          autoComplete="off"
          placeholder="docker restart payments-db && docker ps"
          value={command}
          onChange={(event) => setCommand(event.target.value)}
          className="font-mono text-code"
        />
      </Field>
      <div role="status" className="mt-3 min-h-6 text-ui">
        {isEmpty ? null : <Verdict policy={policy} command={command} config={config} />}
      </div>
    </Card>
  );
}
