/** The tool by which a tier hands in its report. */
const REPORT_TOOL = 'StructuredOutput';

type ServiceStatus = 'healthy' | 'degraded' | 'down';

/** What the log shows of a report. The Report tab has all of it. */
export interface ReportBrief {
  summary: string;
  services: readonly { name: string; status: ServiceStatus; detail: string }[];
  /** Null unless a higher tier was requested. */
  escalation: { reason: string; services: readonly string[] } | null;
}

/**
 * Returns the report that a call hands in; null for any other call, and for an input that isn't a
 * report. The input is read field by field: the schema would bring its whole library to the page.
 */
export function reportBriefOf(call: {
  tool: string;
  input: Record<string, unknown>;
}): ReportBrief | null {
  if (call.tool !== REPORT_TOOL) return null;
  const { summary, services_checked: services, escalation } = call.input;
  if (typeof summary !== 'string' || summary.trim() === '') return null;
  return {
    summary,
    services: Array.isArray(services) ? services.flatMap(serviceOf) : [],
    escalation: escalationOf(escalation),
  };
}

/** Whether the call hands in structured output, readable or not. */
export function isReportCall({ tool }: { tool: string }): boolean {
  return tool === REPORT_TOOL;
}

/** The words of a report that its row shows, for the search. */
export function textOfReport({ summary, services, escalation }: ReportBrief): string {
  return [
    summary,
    ...services.map(({ name, detail }) => `${name}\n${detail}`),
    escalation?.reason ?? '',
    escalation?.services.join(', ') ?? '',
  ].join('\n');
}

const STATUSES: readonly unknown[] = ['healthy', 'degraded', 'down'] satisfies ServiceStatus[];

function serviceOf(value: unknown): ReportBrief['services'] {
  const { name, status, detail } = recordOf(value);
  if (typeof name !== 'string' || !STATUSES.includes(status)) return [];
  return [
    { name, status: status as ServiceStatus, detail: typeof detail === 'string' ? detail : '' },
  ];
}

function escalationOf(value: unknown): ReportBrief['escalation'] {
  const { wanted, reason, services } = recordOf(value);
  if (wanted !== true) return null;
  return {
    reason: typeof reason === 'string' ? reason : '',
    services: Array.isArray(services) ? services.filter((name) => typeof name === 'string') : [],
  };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
