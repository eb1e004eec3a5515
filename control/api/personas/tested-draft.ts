import { createHash } from 'node:crypto';
import { HttpError } from '../../errors/http-error.ts';
import type { Store } from '../../store/open.ts';
import type { PersonaDraftRow, PersonaRow } from '../../store/tables.ts';
import { attachedAfter, attachedTo, contentOf } from './persona-content.ts';
import { personaErrors } from './persona-errors.ts';
import { withInput } from './persona-rows.ts';
import type { PersonaContent } from './persona-schema.ts';
import { changesOf } from './version-rows.ts';

/** What identifies the content that a run of tests has tested. */
export function contentHash(content: PersonaContent): string {
  const sorted = Object.entries(content).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

/**
 * Refuses a draft that has not passed all tests of its persona, if the persona asks for that. A run counts for the content
 * that it tested, and for the tests as they were.
 * @throws HttpError 409.
 */
export async function assertTested(store: Store, persona: PersonaRow, draft: PersonaDraftRow): Promise<void> {
  if (persona.publishing_requires_tests === 0) return;
  const changes = changesOf(draft);
  const attached = attachedAfter(await attachedTo(store, persona.id), changes);
  const hash = contentHash(contentOf(withInput(persona, changes, persona.updated_at), attached));
  const { changed } = await store.db
    .selectFrom('persona_tests')
    .select((eb) => eb.fn.max('updated_at').as('changed'))
    .where('persona_id', '=', persona.id)
    .executeTakeFirstOrThrow();
  // Without tests there is nothing to pass.
  if (changed === null) return;
  const passed = await store.db
    .selectFrom('persona_test_runs')
    .select('id')
    .where('persona_id', '=', persona.id)
    .where('content_hash', '=', hash)
    .where('covers_all', '=', 1)
    .where('status', '=', 'passed')
    .where('created_at', '>=', changed)
    .limit(1)
    .execute();
  if (passed.length === 0) throw new HttpError(personaErrors.testsNotPassed);
}
