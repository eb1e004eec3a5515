import { z } from 'zod';
import type { PersonaRow } from '../../store/tables.ts';
import { widgetConfigOf } from './persona-rows.ts';
import { avatarView } from './persona-view.ts';
import { WIDGET_DEFAULTS } from './widget-config.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { References } from '../../catalogue/references.ts';
import type { AvatarPreviews } from '../avatars/avatar-previews.ts';

/** What is taken of the service here. */
interface PublicLookParts {
  readonly signer: UrlSigner;
  readonly references: References;
  readonly previews: AvatarPreviews | null;
}

/** What visitors see of a persona before they talk to it. It contains nothing of how the persona is made. */
export const publicLook = z
  .object({
    persona: z.object({
      name: z.string(),
      avatarImageUrl: z.string().nullable(),
      avatarVideoUrl: z.string().nullable(),
    }),
    widgetConfig: z.object({
      layout: z.string(),
      initialState: z.string(),
      position: z.string(),
      showCaptions: z.boolean(),
      showTextInput: z.boolean(),
      showMuteButton: z.boolean(),
      showTranscript: z.boolean(),
      removeWatermark: z.boolean(),
      callToAction: z.string(),
    }),
  })
  .meta({ id: 'PublicLook' });
export type PublicLook = z.infer<typeof publicLook>;

/** @param baseUrl the address under which the visitor reaches the service. */
export async function publicLookOf(control: PublicLookParts, baseUrl: string, row: PersonaRow): Promise<PublicLook> {
  const config = { ...WIDGET_DEFAULTS, ...widgetConfigOf(row) };
  const { allowedOrigins: _, allowEverywhere: __, variableValues: ___, versions: ____, ...look } = config;
  return { persona: await visibleFace(control, baseUrl, row), widgetConfig: look };
}

async function visibleFace(control: PublicLookParts, baseUrl: string, row: PersonaRow): Promise<PublicLook['persona']> {
  const avatar = row.avatar_id === null ? null : await control.references.avatar(row.organization_id, row.avatar_id);
  const shown = avatar === null ? null : avatarView(control, baseUrl, avatar);
  return {
    name: row.name,
    avatarImageUrl: shown?.imageUrl ?? null,
    // Shown over and over until the visitor calls: the face that waits.
    avatarVideoUrl: shown?.idleVideoUrl ?? null,
  };
}
