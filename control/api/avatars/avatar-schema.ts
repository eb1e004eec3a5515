import { z } from 'zod';
import { RENDER_STYLES } from '../../catalogue/catalogue.ts';
import { flagQuery, pageQuery, searchQuery } from '../../http/paging.ts';
import { replacingQuery, timestamp, uuid } from '../../http/schemas.ts';
import { AVATAR_MODELS } from '../../catalogue/avatar-models.ts';

/** Largest image of an avatar, sent or fetched, in bytes. */
export const MAX_IMAGE_SIZE = 4_718_592;

export const listAvatars = z.object({
  ...pageQuery(),
  search: searchQuery,
  renderStyle: z.enum(['all', ...RENDER_STYLES]).default('all'),
  tags: z.string().max(500).optional().describe('Comma-separated; an avatar with any of them matches.'),
  onlyOneShot: flagQuery.optional().describe('Only avatars that were made from one image.'),
});

const model = z.enum(AVATAR_MODELS).optional();

/** JSON form: the image is fetched from a public address. */
export const createAvatar = z
  .object({
    displayName: z.string().trim().min(1).max(50),
    imageUrl: z.string().min(1).max(4096).meta({ format: 'uri', pattern: '^https?://' }),
    avatarModel: model,
  })
  .meta({ id: 'CreateAvatar', examples: [{ displayName: 'Mira', imageUrl: 'https://pictures.example.com/mira.png' }] });

/** Form: a file, or the address of one. */
export const createAvatarForm = z.object({
  displayName: z.string().trim().min(3).max(50),
  imageUrl: z.string().min(1).max(4096).optional(),
  avatarModel: model,
});

export const updateAvatar = z
  .object({ displayName: z.string().trim().min(1).max(50) })
  .meta({ id: 'UpdateAvatar', examples: [{ displayName: 'Mira at work' }] });

export const deleteAvatar = replacingQuery('delete').extend({
  hard: flagQuery.optional().describe('Also delete the image and everything made from it, for good.'),
});

export const avatarResponse = z
  .object({
    id: uuid,
    displayName: z.string(),
    variantName: z.string(),
    imageUrl: z.string(),
    landscapeImageUrl: z.string().nullable(),
    portraitImageUrl: z.string().nullable(),
    videoUrl: z
      .string()
      .nullable()
      .describe(
        'The avatar says who it is. Made when it is first asked for; works for an hour. Null for avatars made of an image, to which no voice belongs.',
      ),
    idleVideoUrl: z
      .string()
      .nullable()
      .describe(
        'The avatar waits: without sound, to be shown over and over. Made when it is first asked for; works for an hour.',
      ),
    createdByOrganizationId: z.string().nullable().describe('Null for built-in avatars.'),
    availableVersions: z.array(z.string()),
    activeVersion: z.string().nullable(),
    description: z.string().nullable(),
    displayTags: z.array(z.string()),
    renderStyle: z.enum(RENDER_STYLES),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Avatar' });
export type AvatarResponse = z.infer<typeof avatarResponse>;
