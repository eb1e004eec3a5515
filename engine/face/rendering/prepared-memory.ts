import { mapFile, type MappedFile } from './mapped-file.ts';

/**
 * Where a prepared avatar is, as threads tell each other: memory into which it may still be drawn, or a whole one in the file
 * in which it is kept, which the processes of a machine share.
 */
export type PreparedMemory = SharedArrayBuffer | MappedFile;

/** @returns its bytes. Nobody may write to them. @throws Error when the file was given up meanwhile. */
export function bytesOf(prepared: PreparedMemory): ArrayBufferLike {
  return prepared instanceof SharedArrayBuffer ? prepared : mapFile(prepared).content;
}

/** A copy that stays, whatever becomes of the file. @throws Error when it was given up already. */
export function copyOf(prepared: PreparedMemory): SharedArrayBuffer {
  if (prepared instanceof SharedArrayBuffer) return prepared;
  const { content, end } = mapFile(prepared);
  const shared = new SharedArrayBuffer(content.byteLength);
  new Uint8Array(shared).set(new Uint8Array(content));
  end();
  return shared;
}
