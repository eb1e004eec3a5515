import type { SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { contains, searchQuery, wholeNumber } from '../../http/paging.ts';
import type { Store } from '../../store/open.ts';
import type { Database } from '../../store/tables.ts';

const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-26T20:00:00Z' });

/** Which sessions are meant: query fields of the list and of the export. */
export const sessionFilter = {
  search: searchQuery.describe('In the id or the client label.'),
  words: searchQuery.describe('In what was said, of both.'),
  apiKeyId: z.string().max(128).optional().describe('The key that started it, or minted its token.'),
  userId: z.string().max(128).optional().describe('The user who did.'),
  personaId: z.string().max(128).optional(),
  from: time.optional().describe('Started then or later.'),
  to: time.optional().describe('Started before.'),
  outcome: z
    .string()
    .max(64)
    .optional()
    .describe('The reason of its end, `failed` for any that is an error, or `live`.'),
  grade: z
    .enum(['pending', 'passed', 'failed', 'unclear', 'done', 'error'])
    .optional()
    .describe('By the criteria of its persona.'),
  personaVersion: wholeNumber(0, 999_999_999).optional().describe('Of the persona; 0 is its draft.'),
  source: z.enum(['api', 'console', 'share_link', 'widget']).optional().describe('Where it came from.'),
};
export type SessionFilter = z.infer<z.ZodObject<typeof sessionFilter>>;

/** @returns a query of the sessions of an organization that are meant. */
export function sessionsWith(
  { db }: Store,
  organizationId: string,
  filter: SessionFilter,
): SelectQueryBuilder<Database, 'sessions', object> {
  const { search, words, apiKeyId, userId, personaId, from, to, outcome, source, grade, personaVersion } = filter;
  let rows = db.selectFrom('sessions').where('organization_id', '=', organizationId);
  if (apiKeyId !== undefined) rows = rows.where('api_key_id', '=', apiKeyId);
  if (userId !== undefined) rows = rows.where('user_id', '=', userId);
  if (personaId !== undefined) rows = rows.where('persona_id', '=', personaId);
  if (grade !== undefined) rows = rows.where('grade', '=', grade);
  if (personaVersion !== undefined) rows = rows.where('persona_version', '=', personaVersion);
  if (search !== undefined)
    rows = rows.where((eb) => eb.or([contains('id', search), contains('client_label', search)]));
  if (words !== undefined)
    rows = rows.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('session_messages')
          .select('message_id')
          .whereRef('session_messages.session_id', '=', 'sessions.id')
          .where(contains('session_messages.text', words)),
      ),
    );
  // Times sort as texts.
  if (from !== undefined) rows = rows.where('start_time', '>=', new Date(from).toISOString());
  if (to !== undefined) rows = rows.where('start_time', '<', new Date(to).toISOString());
  if (outcome === 'live') rows = rows.where('end_time', 'is', null);
  else if (outcome === 'failed') rows = rows.where('exit_status', '=', 'ERROR');
  else if (outcome !== undefined) rows = rows.where('end_reason', '=', outcome);
  return source === undefined ? rows : ofSource(rows, source);
}

/** The same as `sourceOf` says of a row. */
function ofSource(
  rows: SelectQueryBuilder<Database, 'sessions', object>,
  source: NonNullable<SessionFilter['source']>,
): SelectQueryBuilder<Database, 'sessions', object> {
  if (source === 'share_link') return rows.where('share_link_id', 'is not', null);
  const others = rows.where('share_link_id', 'is', null);
  if (source === 'widget') return others.where('api_key_id', 'is', null).where('user_id', 'is', null);
  const ofCaller = others.where((eb) => eb.or([eb('api_key_id', 'is not', null), eb('user_id', 'is not', null)]));
  if (source === 'console') return ofCaller.where('client_label', '=', CONSOLE_LABEL);
  return ofCaller.where((eb) => eb.or([eb('client_label', 'is', null), eb('client_label', '!=', CONSOLE_LABEL)]));
}

/** With it the console marks its own conversations. */
export const CONSOLE_LABEL = 'console';
