/** How systemd's programs name units. */
import type { ProgramEntry } from './entry';

/** Without a type a unit is a service. A pattern or path can mean several, or another type. */
export const UNITS: Required<Pick<ProgramEntry, 'spell' | 'isPlain'>> = {
  spell: (operand) => [operand.replace(/\.service$/, '')],
  isPlain: (operand) => /^[A-Za-z0-9_][\w.@:-]*$/.test(operand),
};
