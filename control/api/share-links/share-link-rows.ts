import type { z } from 'zod';
import { prepared } from '../../store/prepared.ts';
import type { ShareLinkRow } from '../../store/tables.ts';
import type { shareLinkResponse } from './share-link-schema.ts';

/** The links of a persona, newest first. */
export const linksOfPersona = prepared<{ personaId: string }, ShareLinkRow>((db, value) =>
  db.selectFrom('share_links').selectAll().where('persona_id', '=', value('personaId')).orderBy('created_at', 'desc'),
);

export function shareLinkOf(row: ShareLinkRow): z.infer<typeof shareLinkResponse> {
  return {
    id: row.id,
    token: row.token,
    type: row.type as 'LINK',
    expiresAt: row.expires_at,
    usageLimit: row.usage_limit,
    usageCount: row.usage_count,
    allowedOrigins: JSON.parse(row.allowed_origins_json),
    allowAllOrigins: row.allow_all_origins === 1,
    removeWatermark: row.remove_watermark === 1,
    variableValues: JSON.parse(row.variable_values_json),
    versions: row.versions_json === null ? null : JSON.parse(row.versions_json),
    enabled: row.enabled === 1,
    isPrimary: row.is_primary === 1,
    createdAt: row.created_at,
  };
}
