/** What stands beside the keys of an exported file: units, choices, and what an empty value means. */

/** Above a key of the top level. */
export const ABOVE: Record<string, string> = {
  harness: 'The agent: claude, or demo (no model).',
  services:
    'What is watched. Types of checks: http (URL), dns (host name), tcp (host:port),\ncontainer, process and service (a name), database (URL; a password is never sent).',
  schedule:
    'interval (everySeconds), cron (expression with five fields), or manual.\nTimes of cron lines are of the time zone; intervals are counted from the epoch.',
  tiers:
    'One policy per tier: 1 observes, 2 remediates safely, 3 remediates fully.\nallowedTools is what runs without asking; all else is denied.',
  maxTier: 'The highest tier that may start: 1, 2 or 3.',
  dryRun: 'true: tier 1 observes, nothing escalates.',
  contextThreshold: 'Share of the model’s context window above which a hop hands off; 0.8 is 80%.',
  continuation: 'How the next tier begins: resume, or handoff.',
  cooldowns: 'How often one service may be restarted or redeployed within a time.',
  budgets: 'US dollars; null is no limit. A day and a month are of UTC.',
  maintenance:
    'Times in which trouble is expected. effect: no_cycles, or observe_only.\nOnce: when {kind: once, startsAt, endsAt}, as clocks of the time zone show them.\nRepeatedly: when {kind: recurring, expression (cron), durationSeconds}.',
  checkpoints:
    'What a session knows is written down, so that the next start can read it.\nWritten after so many prompts and tool results, and by the clock.',
  askAgents:
    'Whom operators may ask: name, harness (claude or demo) and model.\nNone: the agent of the chains, with the model of tier 1.',
  instructions: 'Goes to the agent as the operators’ own words.',
  runnerPool: 'The pool of runners that works for this project.',
  secrets: 'Names of files on the runner, and the tiers that get them. Never their contents.',
};

/** Behind a value, wherever the key stands. */
export const BEHIND: Record<string, string> = {
  everySeconds: 'seconds',
  timeoutSeconds: 'seconds',
  stallSeconds: 'seconds without any sign of life',
  windowSeconds: 'seconds',
  durationSeconds: 'seconds',
  maxTurns: 'requests to the model, per process',
  maxBudgetUsd: 'US dollars per process; null is no limit of its own',
  contextWindow: 'tokens; null is what the CLI reports for the model',
  prompt: 'null is the prompt that ships with Tierwatch',
  expectStatus: 'HTTP status; without it 200 to 399',
  promptInterval: 'prompts and tool results',
  timeIntervalMs: 'milliseconds',
  retentionDays: 'days',
  recoveryBudgetChars: 'characters that a start gets to read',
  chainUsd: 'US dollars',
  dayUsd: 'US dollars',
  monthUsd: 'US dollars',
};
