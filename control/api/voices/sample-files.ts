import type { DiskBlobs } from '../../store/blobs.ts';
import { isAudioExtension, audioExtensionOf, audioContentType, type AudioExtension } from './audio-formats.ts';

/** Of the blobs. */
const FOLDER = 'voice-samples';

export interface SampleFile {
  readonly path: string;
  readonly contentType: string;
}

interface Entry {
  readonly ending: AudioExtension;
  readonly bytes: number;
}

/**
 * Samples of voices on disk. When they take too much space, those that were asked for longest ago are deleted: each can
 * be made again.
 */
export class SampleFiles {
  readonly #blobs: DiskBlobs;
  readonly #mostBytes: number;
  /** By name without its ending, the one that was used last at the end. */
  #entries: Promise<Map<string, Entry>> | null = null;

  /** @param mostBytes of all of them together. */
  constructor(blobs: DiskBlobs, mostBytes: number) {
    this.#blobs = blobs;
    this.#mostBytes = mostBytes;
  }

  /** @param name of safe characters. @returns null when it is not here. */
  async find(name: string): Promise<SampleFile | null> {
    const entries = await this.#read();
    const entry = entries.get(name);
    if (entry === undefined) return null;
    entries.delete(name);
    entries.set(name, entry);
    return this.#file(name, entry);
  }

  /** @throws Error when the bytes are not a sound that browsers play. */
  async keep(name: string, bytes: Uint8Array): Promise<SampleFile> {
    const ending = audioExtensionOf(bytes);
    if (ending === null) throw new Error('The sample is not a sound file.');
    const entries = await this.#read();
    await this.#blobs.write(keyOf(name, ending), bytes);
    const entry = { ending, bytes: bytes.byteLength };
    entries.delete(name);
    entries.set(name, entry);
    await this.#makeRoom(entries);
    return this.#file(name, entry);
  }

  /** Deletes all whose names begin with this. */
  async remove(beginning: string): Promise<void> {
    const entries = await this.#read();
    // Deleting while iterating is fine in a Map.
    for (const name of entries.keys()) if (name.startsWith(beginning)) await this.#drop(entries, name);
  }

  /** The newest one stays, however large it is. */
  async #makeRoom(entries: Map<string, Entry>): Promise<void> {
    let bytes = [...entries.values()].reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [name, entry] of [...entries].slice(0, -1)) {
      if (bytes <= this.#mostBytes) return;
      bytes -= entry.bytes;
      await this.#drop(entries, name);
    }
  }

  async #drop(entries: Map<string, Entry>, name: string): Promise<void> {
    const entry = entries.get(name);
    if (entry === undefined) return;
    entries.delete(name);
    await this.#blobs.remove(keyOf(name, entry.ending));
  }

  /** What earlier runs of the service left. */
  #read(): Promise<Map<string, Entry>> {
    this.#entries ??= readEntries(this.#blobs).catch((error: unknown) => {
      this.#entries = null;
      throw error;
    });
    return this.#entries;
  }

  #file(name: string, { ending }: Entry): SampleFile {
    return { path: this.#blobs.pathOf(keyOf(name, ending)), contentType: audioContentType(ending) };
  }
}

const keyOf = (name: string, ending: AudioExtension): string => `${FOLDER}/${name}.${ending}`;

async function readEntries(blobs: DiskBlobs): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for (const key of await blobs.list(FOLDER)) {
    const [name, ending] = key.slice(FOLDER.length + 1).split('.');
    const bytes = await blobs.size(key);
    if (name !== undefined && ending !== undefined && isAudioExtension(ending) && bytes !== null)
      entries.set(name, { ending, bytes });
  }
  return entries;
}
