import type { Use } from '../../errors/http-error.ts';
import type { Store } from '../../store/open.ts';
import type { PersonaRow } from '../../store/tables.ts';
import { widgetConfigOf } from './persona-rows.ts';
import { isPublished } from './widget-config.ts';

/** @returns who would miss a persona: its links that work, its widget, and webhooks for it alone. @param now ISO 8601 */
export async function usesOfPersona({ db }: Store, persona: PersonaRow, now: string): Promise<Use[]> {
  const links = await db
    .selectFrom('share_links')
    .select(['id', 'created_at'])
    .where('persona_id', '=', persona.id)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('created_at')
    .execute();
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'url', 'description'])
    .where('organization_id', '=', persona.organization_id)
    .where('persona_ids_json', '=', JSON.stringify([persona.id]))
    .execute();
  return [
    ...links.map(({ id, created_at: at }): Use => ({ kind: 'share link', id, name: `of ${at.slice(0, 10)}` })),
    ...widgetOf(persona),
    ...webhooks.map(({ id, url, description }): Use => ({ kind: 'webhook', id, name: description || url })),
  ];
}

function widgetOf(persona: PersonaRow): Use[] {
  const config = widgetConfigOf(persona);
  if (!isPublished(config)) return [];
  const sites = config.allowEverywhere === true ? 'any web site' : (config.allowedOrigins ?? []).join(', ');
  return [{ kind: 'widget', id: persona.id, name: `on ${sites}` }];
}
