import { Download } from 'lucide-react';
import { Button } from '@/app/_components/ui/button';
import type { IncidentDetail } from '@/lib/incidents/view';

interface ExportPostMortemProps {
  orgSlug: string;
  incident: Pick<IncidentDetail, 'id'>;
}

/** Downloads the incident as Markdown. */
export function ExportPostMortem({ orgSlug, incident }: ExportPostMortemProps) {
  const query = new URLSearchParams({ organization: orgSlug });
  return (
    <Button asChild>
      <a href={`/api/v1/incidents/${incident.id}/post-mortem?${query}`} download>
        <Download aria-hidden /> Export post-mortem
      </a>
    </Button>
  );
}
