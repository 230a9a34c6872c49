import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { projectConfigSchema } from './schema';
import { isBelow, SECTIONS, type SettingsSection } from './sections';
import { PROJECT_DOCS, SHOWN_SETTINGS } from './settings';

type Shape = z.core.JSONSchema.BaseSchema;

/** The paths of all fields, with none for the index of a list. */
function fieldsOf(shape: Shape, path = ''): string[] {
  const { properties = {}, items, prefixItems = [], anyOf = [], oneOf = [] } = shape;
  const parts = [items, ...prefixItems, ...anyOf, ...oneOf].flat() as (Shape | undefined)[];
  return [
    ...Object.entries(properties).flatMap(([name, child]) => {
      const at = path ? `${path}.${name}` : name;
      return [at, ...fieldsOf(child as Shape, at)];
    }),
    ...parts.flatMap((part) => (part ? fieldsOf(part, path) : [])),
  ];
}

const FIELDS = [...new Set(fieldsOf(z.toJSONSchema(projectConfigSchema, { io: 'input' })))];

describe('a project setting', () => {
  it.each(FIELDS.filter((path) => !path.startsWith('services.')))('%s has an entry', (path) => {
    expect(Object.keys(SHOWN_SETTINGS)).toContain(path);
  });

  it('means something in the documentation of the API, unless its name says it everywhere', () => {
    const undocumented = FIELDS.filter((path) => !PROJECT_DOCS[path]);
    expect(undocumented).toEqual(['harness', 'askAgents.harness']);
  });

  it('appears in one section, if it has a control', () => {
    const sections: readonly SettingsSection[] = SECTIONS;
    const placed = sections.flatMap(({ cards = [] }) => cards.flatMap(({ settings }) => settings));
    const controls = Object.entries(SHOWN_SETTINGS).filter(([, { control }]) => control);
    for (const [path] of controls) {
      expect([path, placed.filter((each) => isBelow(path, each)).length]).toEqual([path, 1]);
    }
  });
});
