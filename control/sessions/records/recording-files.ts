import { rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Blobs, fileAt, type FoundBlob } from '../../store/blobs.ts';

/*
 * Where a recording is. Its row has a key, which is a path in the data folder and, where there is a bucket, the key of its
 * blob. Rows of older releases have the absolute path of the file. Only its name counts: a data folder may be a copy, or be
 * mounted elsewhere, and then the path leads to files of another service.
 */

/** The folder of recordings in the data folder, and the kind of their blobs. */
export const RECORDINGS = 'recordings';

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Where recordings may be. */
export interface RecordingPlaces {
  readonly dataDir: string;
  readonly blobs: Blobs;
}

/** The key of the recording of a session. */
export const recordingKey = (sessionId: string): string => `${RECORDINGS}/${sessionId}.mp4`;

/** @param place as its row has it. @returns null when the recording is gone. */
export async function findRecording({ dataDir, blobs }: RecordingPlaces, place: string): Promise<FoundBlob | null> {
  const name = nameIn(place);
  if (name === null) return null;
  const path = fileNamed(dataDir, name);
  // The file is here until the bucket has it.
  return (await isFile(path)) ? fileAt(path) : blobs.find(`${RECORDINGS}/${name}`);
}

/** Does nothing when it is gone already. @param place as its row has it. */
export async function removeRecording({ dataDir, blobs }: RecordingPlaces, place: string): Promise<void> {
  const name = nameIn(place);
  if (name === null) return;
  await rm(fileNamed(dataDir, name), { force: true });
  await blobs.remove(`${RECORDINGS}/${name}`);
}

/** @returns null for what names no file, such as `..`. */
function nameIn(place: string): string | null {
  const name = basename(place);
  return NAME.test(name) ? name : null;
}

const fileNamed = (dataDir: string, name: string): string => resolve(join(dataDir, RECORDINGS, name));

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
