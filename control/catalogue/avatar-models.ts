/** Generations of faces as clients name them, and the image sizes that each renders. */
export const AVATAR_MODELS = ['cara-2', 'cara-3', 'cara-4', 'cara-4-latest'] as const;
export type AvatarModel = (typeof AVATAR_MODELS)[number];

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const CLASSIC: readonly ImageSize[] = [{ width: 720, height: 480 }];
const LARGE: readonly ImageSize[] = [
  { width: 1152, height: 768 },
  { width: 768, height: 1152 },
];

const SIZES: Readonly<Record<AvatarModel, readonly ImageSize[]>> = {
  'cara-2': CLASSIC,
  'cara-3': CLASSIC,
  'cara-4': LARGE,
  'cara-4-latest': LARGE,
};

/** What the plugins of LiveKit agents ask for, whatever the model. */
export const ROOM_SIZES: readonly ImageSize[] = [
  { width: 640, height: 360 },
  { width: 1280, height: 720 },
];

/** @returns the sizes of a model, the default one first. */
export function sizesOf(model: AvatarModel): readonly ImageSize[] {
  return SIZES[model];
}

/** Models before the fourth take no director notes and no utterance ids. */
export function takesDirectorNotes(model: AvatarModel): boolean {
  return model === 'cara-4' || model === 'cara-4-latest';
}
