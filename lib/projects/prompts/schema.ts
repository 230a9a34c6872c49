import { z } from 'zod';

const text = z.string();
const line = z
  .string()
  .min(1)
  .refine((value) => !/[\n\r]/.test(value), 'One line only.');

const started = { project: line, affected: line, request: text };
const reports = { reportTool: line };
const checks = { checkTool: line };

/** What each prompt takes. The names are those of its front matter; a test holds them equal. */
export const PROMPT_INPUTS = {
  'system-tier': z.object({
    tier: line,
    title: line,
    project: line,
    tierRules: text,
    services: text,
    actions: text,
    cooldowns: text,
    dryRun: text,
    sections: text,
    ...reports,
    ...checks,
  }),
  'keep-notes': z.object({ digestTool: line, rememberTool: line, recallTool: line }),
  'rules-tier-1': z.object({}),
  'rules-tier-2': z.object({}),
  'rules-tier-3': z.object({}),
  'tier-1-observe': z.object({ project: line, request: text, ...reports, ...checks }),
  'tier-2-investigate-and-fix': z.object({ ...started, ...reports, ...checks }),
  'tier-3-remediate': z.object({ ...started, ...reports, ...checks }),
  'tier-2-from-handoff': z.object({ ...started, ...reports, asOf: line }),
  'tier-3-from-handoff': z.object({ ...started, ...reports, asOf: line }),
  'write-handoff-tier-1': z.object({ file: line, ...reports }),
  'write-handoff-tier-2': z.object({ file: line, ...reports }),
  'escalate-to-tier-2': z.object({ affected: line, dryRun: line, ...reports }),
  'escalate-to-tier-3': z.object({ affected: line, dryRun: line, ...reports }),
  'system-ask': z.object({
    project: line,
    about: text,
    services: text,
    actions: text,
    sections: text,
    askBack: text,
    ...checks,
  }),
  'ask-back': z.object({ askTool: line }),
  'ask-resumed': z.object({ message: text.min(1) }),
  'ask-continue': z.object({}),
  'ask-from-transcript': z.object({ transcript: text.min(1), message: text.min(1) }),
  continue: z.object(reports),
  reconcile: z.object({ project: line, tier: line, affected: line, ...reports, ...checks }),
} as const;

/** Inputs that every start has from its agent: names of tools. A project's own prompt writes them out. */
export const TOOL_INPUTS: readonly string[] = ['reportTool', 'checkTool'];

export type PromptName = keyof typeof PROMPT_INPUTS;
export type PromptValues<Name extends PromptName> = z.infer<(typeof PROMPT_INPUTS)[Name]>;

export const PROMPT_NAMES = Object.keys(PROMPT_INPUTS) as PromptName[];
