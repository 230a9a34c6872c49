import { StatusIcon } from '../status/status-badge';
import type { ShellProject } from './shell-data';

/** Health while the project is active; otherwise why it is not. */
export function ProjectIcon({ project }: { project: ShellProject }) {
  if (project.state === 'active' && project.worst) {
    return <StatusIcon kind="service" state={project.worst} />;
  }
  return <StatusIcon kind="project" state={project.state} />;
}
