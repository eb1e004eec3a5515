import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Processes that were killed are gone after some ms; a folder that they write to cannot be deleted before. */
const TRIES = 20;
const TRY_AGAIN_MS = 100;

/**
 * Chromium makes a socket in its folder, whose path may have 107 characters. Of these, 56 are behind the base:
 * `/v-123456/b/org.chromium.Chromium.123456/SingletonSocket`.
 */
const MAX_BASE_LENGTH = 107 - 56;

/** Where the browsers of meetings write: a folder for each visit, which is deleted after it. */
export class VisitFolders {
  readonly base: string;

  private constructor(base: string) {
    this.base = base;
  }

  /**
   * Deletes what earlier runs of the service left, and ends what of them still runs.
   * @param dataDir whose service this is: two services on one machine do not touch each other's visits.
   * @throws Error with a sentence for the operator, when there is no place for them.
   */
  static async open(dataDir: string): Promise<VisitFolders> {
    // Not in the data folder: that one is closed to the user that Chromium runs as.
    const base = join(tmpdir(), `parley-meetings-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`);
    if (base.length > MAX_BASE_LENGTH)
      throw new Error(`${base} is too long a path for Chromium. Set TMPDIR to a shorter one.`);
    await mkdir(base, { recursive: true, mode: 0o711 });
    const found = await lstat(base);
    if (!found.isDirectory() || found.uid !== process.getuid?.())
      throw new Error(`${base} belongs to another user. Meetings need this folder.`);
    // The service makes new folders private (its umask), and the browser must get through this one.
    await chmod(base, 0o711);
    const folders = new VisitFolders(base);
    await folders.#sweep();
    return folders;
  }

  /** @throws Error when the disk is full. */
  make(): string {
    const folder = mkdtempSync(join(this.base, 'v-'));
    // The browser's own folder is in it, and the browser may run as another user.
    chmodSync(folder, 0o711);
    return folder;
  }

  /** Ends what still uses it. Never rejects: what cannot be deleted now is deleted at the next start. */
  async remove(folder: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      await endUsers(folder);
      const gone = await rm(folder, { recursive: true, force: true }).then(
        () => true,
        () => false,
      );
      if (gone) return;
      await pause(TRY_AGAIN_MS);
    }
  }

  async #sweep(): Promise<void> {
    for (const name of await readdir(this.base)) await this.remove(join(this.base, name));
  }
}

/** Kills the processes in whose command line the folder stands: the visitor, and its browser. */
async function endUsers(folder: string): Promise<void> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    if (Number(pid) === process.pid || !words.some((word) => word.includes(`${folder}/`) || word === folder)) continue;
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}
