import type { Logger } from '../../runtime/log.ts';
import { createAvatarMaker, type PhotoAvatarMaker } from '../avatar-maker/index.ts';
import type { FaceEngine, PhotoFolder, SharedPhotos } from '../face/index.ts';

/** New avatars begin with the classic frame. */
const FIRST_SIZE = { width: 720, height: 480 } as const;

/**
 * Makes avatars of portraits, and deletes them, for all machines.
 * @param parts.photosDir the folder that `folder` reads. @param parts.shared where other machines find them. Null: there are none.
 */
export function createPhotoAvatars(parts: {
  readonly photosDir: string;
  readonly folder: PhotoFolder;
  readonly shared: SharedPhotos | null;
  readonly face: Pick<FaceEngine, 'drawAhead' | 'forget'>;
  readonly log: Logger;
}): PhotoAvatarMaker {
  const { folder, shared, face, log } = parts;
  const maker = createAvatarMaker({ folder: parts.photosDir, log });
  return {
    async make(request) {
      const made = await maker.make(request);
      if (shared !== null)
        await shared.write(made.engineKey, await folder.pack(made.engineKey)).catch(async (error) => {
          await maker.remove(made.engineKey);
          throw error;
        });
      // Drawn ahead, at low priority, so that the first session with it does not wait.
      face
        .drawAhead(made.engineKey, FIRST_SIZE.width, FIRST_SIZE.height, 'on disk')
        .catch((error: unknown) => log.warn({ err: error }, 'An avatar could not be drawn ahead'));
      return made;
    },
    async remove(engineKey) {
      face.forget(engineKey);
      await maker.remove(engineKey);
      await shared?.remove(engineKey);
    },
    close: () => maker.close(),
  };
}
