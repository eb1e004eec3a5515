import { rm } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type Blobs, fileAt, type FoundBlob } from '../store/blobs.ts';

/*
 * Where a recording is, as its row says: the path of a file of this machine, or the key of a blob.
 */

/** The key of the recording of a session. */
export const recordingKey = (sessionId: string): string => `recordings/${sessionId}.mp4`;

/** @returns null when it is gone. */
export async function findRecording(blobs: Blobs, place: string): Promise<FoundBlob | null> {
  return isAbsolute(place) ? fileAt(place) : blobs.find(place);
}

/** Does nothing when it is gone already. */
export async function removeRecording(blobs: Blobs, place: string): Promise<void> {
  await (isAbsolute(place) ? rm(place, { force: true }) : blobs.remove(place));
}
