// @ts-check
import { failures, unchecked, unhealthy } from './memory.mjs';

/**
 * The structured report of a tier, from what it saw and did.
 * @param {number} tier @param {import('./memory.mjs').Known} known @param {import('./plan.mjs').Work} done
 * @param {boolean} canRepair false for services that this agent has no commands for
 */
export function buildReport(tier, known, done, canRepair = true) {
  const broken = unhealthy(done.services);
  const repaired = unhealthy(known.services).filter((name) => !broken.includes(name));
  const reason = broken.length > 0 ? escalationReason(tier, broken, done, canRepair) : '';
  return {
    summary: summary(broken, repaired, done, reason),
    services_checked: [...done.services].map(([name, { status, lines }]) => ({
      name,
      status,
      detail: lines.join('\n'),
    })),
    findings: findings(broken, done),
    escalation: { wanted: broken.length > 0 && tier < 3, reason, services: broken },
    actions_taken: done.actions,
    ...(tier === 1
      ? {}
      : {
          resolved: broken.length === 0,
          investigation_findings: investigation(known, done, broken),
          remediation_attempted: attempted(known, done),
        }),
  };
}

/** @param {string[]} broken @param {string[]} repaired @param {import('./plan.mjs').Work} done @param {string} reason */
function summary(broken, repaired, done, reason) {
  if (broken.length > 0)
    return `${broken.map((name) => `${name} is ${done.services.get(name)?.status}`).join(', ')}. ${reason}`;
  const did = done.actions.map(({ command }) => command).join(', then ');
  if (did)
    return `${[...new Set(done.actions.map(({ service }) => service))].join(', ')}: healthy again after ${did}.`;
  if (repaired.length > 0) return `${repaired.join(', ')}: healthy again without any action.`;
  if (done.services.size === 0) return 'No check could be run.';
  const unclear = unchecked(done.services);
  if (unclear.length > 0) return `${unclear.join(', ')}: not every check could run.`;
  const [only, ...others] = done.services.keys();
  if (others.length === 0) return `${only} is healthy.`;
  return `All ${done.services.size} services are healthy.`;
}

/** @param {number} tier @param {string[]} broken @param {import('./plan.mjs').Work} done @param {boolean} canRepair */
function escalationReason(tier, broken, done, canRepair) {
  if (!canRepair) {
    return tier === 1
      ? 'Tier 1 only observes.'
      : 'Nothing was changed: the demo agent can only repair the services of the demo.';
  }
  if (tier === 1) return `Tier 1 may only observe; ${broken.join(', ')} needs a restart.`;
  if (done.refused.length > 0) return `Not allowed here: ${done.refused.join(', ')}.`;
  const outcome = done.actions.at(-1)?.outcome;
  if (outcome === undefined) return `Nothing was changed; ${broken.join(', ')} needs a restart.`;
  if (tier === 2) return `A restart did not help: ${outcome}`;
  return `Repair and restart did not help: ${outcome}`;
}

/** @param {string[]} broken @param {import('./plan.mjs').Work} done */
function findings(broken, done) {
  const failed = broken.flatMap((service) =>
    failures(done.services.get(service)).map((message) => ({
      service,
      severity: /** @type {const} */ ('critical'),
      message,
    })),
  );
  const noted = done.notes.map((message) => ({
    severity: /** @type {const} */ ('warning'),
    message,
  }));
  const refused = done.refused.map((command) => ({
    severity: /** @type {const} */ ('warning'),
    message: `"${command}" was refused by the permission rules.`,
  }));
  return [...failed, ...noted, ...refused];
}

/** @param {import('./memory.mjs').Known} known @param {import('./plan.mjs').Work} done @param {string[]} broken */
function investigation(known, done, broken) {
  const earlier = [...known.services].flatMap(([name, state]) =>
    failures(state).map((line) => `${name}: ${line}`),
  );
  const now = broken.flatMap((name) =>
    failures(done.services.get(name)).map((line) => `${name}: ${line}`),
  );
  return (
    [
      known.findings,
      ...earlier.map((line) => `Before: ${line}`),
      ...now.map((line) => `Now: ${line}`),
      ...done.notes,
    ]
      .filter(Boolean)
      .join('\n') || 'Every check is healthy.'
  );
}

/** @param {import('./memory.mjs').Known} known @param {import('./plan.mjs').Work} done */
function attempted(known, done) {
  const lines = done.actions.map(({ command, outcome }) => `${command}: ${outcome}`);
  const refused = done.refused.map((command) => `${command}: refused by the permission rules`);
  return (
    [known.attempted, ...lines, ...refused].filter(Boolean).join('\n') || 'Nothing was attempted.'
  );
}

const fileTypes = ['http', 'dns', 'container', 'database'];

/**
 * The content of handoff.json, version 1. Tier 2 passes on what tier 1 had found.
 * @param {number} tier @param {import('./memory.mjs').Known} known
 * @param {import('./plan.mjs').Work} done @param {ReturnType<typeof buildReport>} report
 */
export function handoffContent(tier, known, done, report) {
  const earlier = known.handoff?.check_results;
  return {
    schema_version: 1,
    recommended_tier: tier + 1,
    services_affected: report.escalation.services,
    check_results: [...(Array.isArray(earlier) ? earlier : []), ...checkResults(done)],
    cooldown_state: known.handoff?.cooldown_state ?? {},
    ...(tier === 1
      ? {}
      : {
          investigation_findings: report.investigation_findings,
          remediation_attempted: report.remediation_attempted,
        }),
  };
}

/** @param {import('./plan.mjs').Work} done */
function checkResults(done) {
  return [...done.services].flatMap(([service, { lines }]) =>
    lines.flatMap((line) => {
      const [, type = '', status, error = ''] =
        /^(\S+) .*?: (healthy|degraded|down)(?: \(\d+ ms\))?(?:\. (.*))?$/.exec(line) ?? [];
      if (!status) return [];
      return [{ service, check_type: fileTypes.includes(type) ? type : 'service', status, error }];
    }),
  );
}
