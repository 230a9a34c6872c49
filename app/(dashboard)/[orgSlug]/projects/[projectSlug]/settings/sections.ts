export const SECTIONS = [
  { key: 'general', label: 'General' },
  { key: 'services', label: 'Services' },
  { key: 'schedule', label: 'Schedule' },
  { key: 'tiers', label: 'Tiers and tools' },
  { key: 'ask', label: 'Ask' },
  { key: 'thresholds', label: 'Thresholds' },
  { key: 'budgets', label: 'Budgets' },
  { key: 'alerts', label: 'Alerts' },
  { key: 'webhooks', label: 'Webhooks' },
  { key: 'versions', label: 'Versions' },
  { key: 'file', label: 'Import and export' },
  { key: 'danger', label: 'Danger' },
] as const;

export type SectionKey = (typeof SECTIONS)[number]['key'];

export function asSection(text: string): SectionKey | null {
  return SECTIONS.find((section) => section.key === text)?.key ?? null;
}
