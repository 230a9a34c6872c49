import { Field } from '@/app/_components/ui/field';
import { Select } from '@/app/_components/ui/input';

export interface ProjectChoice {
  /** `prj_…` */
  id: string;
  name: string;
}

interface ProjectSelectProps {
  /** Unique on the page. */
  id: string;
  projects: readonly ProjectChoice[];
  /** `prj_…`; null: every project. */
  value: string | null;
  onChange: (projectId: string | null) => void;
  error?: string | null | undefined;
}

/** Which projects something is about: one, or all of them. */
export function ProjectSelect({ id, projects, value, onChange, error }: ProjectSelectProps) {
  return (
    <Field id={id} label="Projects" error={error ?? null}>
      <Select value={value ?? ''} onChange={(event) => onChange(event.target.value || null)}>
        <option value="">All projects, including future ones</option>
        {projects.map((project) => (
          <option key={project.id} value={project.id}>
            Only {project.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
