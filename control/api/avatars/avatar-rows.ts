import type { RenderStyle, StockAvatar } from '../../catalogue/catalogue.ts';
import type { AvatarRow } from '../../store/tables.ts';
import { STOCK_TIME } from '../voices/voice-rows.ts';
import { previewUrls } from './preview-urls.ts';
import type { AvatarResponse } from './avatar-schema.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { AvatarPreviews } from './avatar-previews.ts';

/** What is taken of the service here. */
interface AvatarRowsParts {
  readonly signer: UrlSigner;
  readonly previews: AvatarPreviews | null;
}

/** Images have addresses that do not expire: a widget or a web page may keep them. Keys are too long to guess. */
export function imageAddress(baseUrl: string, key: string): string {
  return `${baseUrl}/pictures/${key.split('/').at(-1)!}`;
}

function stockImageUrl(baseUrl: string, avatar: StockAvatar, shape: string): string {
  return `${baseUrl}/pictures/stock/${avatar.id}/${shape}`;
}

export function stockAvatarOf(control: AvatarRowsParts, baseUrl: string, avatar: StockAvatar): AvatarResponse {
  return {
    id: avatar.id,
    displayName: avatar.displayName,
    variantName: avatar.variantName,
    imageUrl: stockImageUrl(baseUrl, avatar, 'square'),
    landscapeImageUrl: stockImageUrl(baseUrl, avatar, 'landscape'),
    portraitImageUrl: stockImageUrl(baseUrl, avatar, 'portrait'),
    ...previewUrls(control, baseUrl, { id: avatar.id, displayName: avatar.displayName, tags: avatar.displayTags }),
    createdByOrganizationId: null,
    availableVersions: [...avatar.models],
    activeVersion: avatar.models[0] ?? null,
    description: avatar.description,
    displayTags: [...avatar.displayTags],
    renderStyle: avatar.renderStyle,
    createdAt: STOCK_TIME,
    updatedAt: STOCK_TIME,
  };
}

export function avatarOf(control: AvatarRowsParts, baseUrl: string, row: AvatarRow): AvatarResponse {
  return {
    id: row.id,
    displayName: row.display_name,
    variantName: '',
    imageUrl: imageAddress(baseUrl, row.image_key),
    landscapeImageUrl: row.landscape_key === null ? null : imageAddress(baseUrl, row.landscape_key),
    portraitImageUrl: row.portrait_key === null ? null : imageAddress(baseUrl, row.portrait_key),
    ...previewUrls(control, baseUrl, { id: row.id, displayName: row.display_name, tags: [] }),
    createdByOrganizationId: row.organization_id,
    availableVersions: [row.model],
    activeVersion: row.model,
    description: row.description,
    displayTags: JSON.parse(row.display_tags_json),
    renderStyle: row.render_style as RenderStyle,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
