import { describe, expect, it } from 'vitest';
import { guardTenantArgs } from './tenant-guard';

const OWN = 'own';

describe('guardTenantArgs', () => {
  it.each([
    'findMany',
    'findUnique',
    'count',
    'groupBy',
    'aggregate',
    'updateMany',
    'deleteMany',
    'delete',
  ])('narrows %s to the organization', (operation) => {
    expect(guardTenantArgs(operation, { where: { id: 'x' } }, OWN)).toEqual({
      where: { id: 'x', organizationId: OWN },
    });
    expect(guardTenantArgs(operation, {}, OWN)).toEqual({ where: { organizationId: OWN } });
  });

  it.each([
    ['create', { data: { organizationId: 'foreign' } }],
    ['createMany', { data: [{ organizationId: OWN }, { organizationId: 'foreign' }] }],
    ['updateMany', { data: { organizationId: 'foreign' } }],
    ['upsert', { where: {}, create: { organizationId: 'foreign' }, update: {} }],
    ['upsert', { where: {}, create: {}, update: { organizationId: 'foreign' } }],
    ['findMany', { where: { organizationId: 'foreign' } }],
  ])('refuses a foreign organization in %s', (operation, args) => {
    expect(() => guardTenantArgs(operation, args, OWN)).toThrow('different organization');
  });

  it.each([
    ['create', { data: { sessions: { create: {} } } }],
    ['update', { data: { sessions: { connect: { id: 'x' } } } }],
    ['update', { data: { sessions: { set: [{ id: 'x' }] } } }],
    ['update', { data: { parent: { set: { id: 'x' } } } }],
    ['upsert', { where: {}, create: { sessions: { connectOrCreate: {} } }, update: {} }],
  ])('refuses a nested write in %s %o', (operation, args) => {
    expect(() => guardTenantArgs(operation, args, OWN)).toThrow('not nested');
  });

  it.each([
    { data: { turns: { increment: 2 } } },
    { data: { servicesAffected: { set: ['web'] } } },
    { data: { report: { create: 'a key of JSON' } } },
  ])('lets %o through', (args) => {
    expect(() => guardTenantArgs('update', args, OWN)).not.toThrow();
  });
});
