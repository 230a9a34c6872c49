// @ts-check

const fileTypes = ['http', 'dns', 'container', 'database'];

/**
 * The content of handoff.json, version 1. Tier 2 passes on what tier 1 had found.
 * @param {number} tier @param {import('./memory.mjs').Known} known
 * @param {import('./plan.mjs').Work} done @param {ReturnType<typeof import('./report.mjs').buildReport>} report
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
