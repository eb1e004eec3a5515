import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { REACHES, ROLES, scopesOfRole } from '../../control/access/roles.ts';
import { denialReason } from '../../web/src/state/denial-reason.ts';
import { ROLES_GUIDE, rolesTable } from './roles-guide.ts';

it('the guide has the table of roles that the code has', () => {
  expect(readFileSync(ROLES_GUIDE, 'utf8')).toContain(`\n${rolesTable()}\n`);
});

it('the console names the least role that can do what somebody may not', () => {
  const somebody = { kind: 'user', id: 'x', name: 'Ada', email: null, organization: { id: 'y', name: 'z' } } as const;
  for (const [scope, reaches] of Object.entries(REACHES))
    for (const role of ROLES) {
      const why = denialReason({ ...somebody, role, scopes: [...scopesOfRole(role)] }, scope, 'change');
      const helper = ROLES.findLast((other) => reaches[other] === 'everything');
      if (reaches[role] === 'everything') expect(why, `${role} ${scope}`).toBeNull();
      else if (helper === undefined) expect(why, `${role} ${scope}`).toContain('with an API key');
      else expect(why, `${role} ${scope}`).toContain(` ${helper} can change this.`);
    }
});
