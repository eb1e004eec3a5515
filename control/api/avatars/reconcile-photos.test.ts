import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedClock } from 'xstate';
import { afterEach, beforeEach, expect, it } from 'vitest';
// Not through the engine's index, which loads the media libraries.
// eslint-disable-next-line no-restricted-imports
import { PhotoFolder } from '../../../engine/face/photo/photo-folder.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { organizationNamed } from '../../access/api-keys.ts';
import type { Store } from '../../store/open.ts';
import { describeOnSqlite } from '../../testing/stores.ts';
import { type PhotoReconcilerOptions, PhotoReconciler } from './reconcile-photos.ts';
import type { PhotosInBlobs } from './photos-in-blobs.ts';

const HOUR_MS = 3_600_000;
const NOW = 1_800_000_000_000;
const PHOTO = { face: '{}', photo: Buffer.alloc(1_000) };

describeOnSqlite('the photos of avatars on one machine', (stores) => {
  let store: Store;
  let path: string;
  let folder: PhotoFolder;
  let shared: Map<string, Uint8Array>;
  const forgotten: string[] = [];
  const warnings: unknown[] = [];
  /** Whether the bucket answers. */
  let answers = true;
  const asked = <T>(answer: T): Promise<T> =>
    answers ? Promise.resolve(answer) : Promise.reject(new Error('no answer'));
  const port = (): PhotosInBlobs => ({
    read: async (engineKey) => shared.get(engineKey) ?? null,
    write: async (engineKey, packed) => void shared.set(engineKey, packed),
    remove: async (engineKey) => void shared.delete(engineKey),
    list: () => asked(new Set(shared.keys())),
  });
  const reconciler = (options: Partial<PhotoReconcilerOptions> = {}): PhotoReconciler =>
    new PhotoReconciler({
      store,
      folder,
      shared: port(),
      forget: (engineKey) => void forgotten.push(engineKey),
      log: { info() {}, warn: (...args: unknown[]) => void warnings.push(args) } as never,
      now: () => NOW,
      timers: new SimulatedClock(),
      ...options,
    });

  beforeEach(async () => {
    store = await stores.open();
    path = mkdtempSync(join(tmpdir(), 'parley-photos-'));
    folder = new PhotoFolder(path);
    shared = new Map();
    answers = true;
    forgotten.splice(0);
    warnings.splice(0);
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  async function keep(engineKey: string, usedAt: number): Promise<void> {
    await folder.add(engineKey, PHOTO);
    await folder.has(engineKey, usedAt);
  }
  /** @param hiddenAt it was deleted, and not for good. */
  async function addRow(engineKey: string, hiddenAt: string | null = null): Promise<void> {
    const at = isoTime(NOW);
    await store.db
      .insertInto('avatars')
      .values({
        id: engineKey.slice('photo-'.length),
        organization_id: await organizationNamed(store, 'first', NOW),
        display_name: 'Mira',
        model: 'cara-3',
        engine_key: engineKey,
        image_key: 'pictures/x.png',
        image_type: 'image/png',
        landscape_key: null,
        portrait_key: null,
        description: null,
        render_style: 'unknown',
        display_tags_json: '[]',
        created_at: at,
        updated_at: at,
        deleted_at: hiddenAt,
      })
      .execute();
  }
  const here = async (): Promise<string[]> => (await folder.list()).map(({ engineKey }) => engineKey).toSorted();

  it('that were made before there was a bucket are sent to it, those that it has are not', async () => {
    for (const engineKey of ['photo-old', 'photo-sent']) {
      await keep(engineKey, NOW);
      await addRow(engineKey);
    }
    const before = Uint8Array.of(1);
    shared.set('photo-sent', before);
    await reconciler().putInOrder();
    expect([...shared.keys()].toSorted()).toEqual(['photo-old', 'photo-sent']);
    expect(shared.get('photo-sent')).toBe(before);
    expect(await here()).toEqual(['photo-old', 'photo-sent']);
  });

  it('go when their avatar was deleted for good through another process, and are never sent again', async () => {
    await keep('photo-deleted', NOW - 2 * HOUR_MS);
    await keep('photo-hidden', NOW - 2 * HOUR_MS);
    await addRow('photo-hidden', isoTime(NOW));
    // Its row is not there yet.
    await keep('photo-new', NOW - HOUR_MS + 1);
    // It was sent after it had been deleted.
    shared.set('photo-deleted', Uint8Array.of(1));
    await reconciler().putInOrder();
    expect(await here()).toEqual(['photo-hidden', 'photo-new']);
    expect(forgotten).toEqual(['photo-deleted']);
    expect([...shared.keys()]).toEqual(['photo-hidden']);
  });

  it('stay without a bucket, unless their avatar is gone', async () => {
    await keep('photo-mine', 0);
    await addRow('photo-mine');
    await keep('photo-deleted', 0);
    await reconciler({ shared: null, mostBytes: 0 }).putInOrder();
    expect(await here()).toEqual(['photo-mine']);
  });

  it('that were unused for longest make room', async () => {
    for (const [index, engineKey] of ['photo-a', 'photo-b', 'photo-c', 'photo-live'].entries()) {
      await keep(engineKey, engineKey === 'photo-live' ? NOW : NOW - (10 - index) * HOUR_MS);
      await addRow(engineKey);
    }
    const { bytes } = (await folder.list())[0]!;
    await reconciler({ mostBytes: 2 * bytes }).putInOrder();
    expect(await here()).toEqual(['photo-c', 'photo-live']);
    expect(shared.size).toBe(4);
    // A session may still read what was used just now.
    await reconciler({ mostBytes: 0 }).putInOrder();
    expect(await here()).toEqual(['photo-live']);
  });

  it('stay while the bucket does not answer, and are put in order a minute later', async () => {
    await keep('photo-old', NOW - 2 * HOUR_MS);
    await addRow('photo-old');
    answers = false;
    const timers = new SimulatedClock();
    const photos = reconciler({ timers, mostBytes: 0 });
    photos.start();
    await expect.poll(() => warnings.length).toBe(1);
    expect(await here()).toEqual(['photo-old']);
    answers = true;
    // The pause begins when it has failed.
    await expect
      .poll(() => {
        timers.increment(60_000);
        return shared.size;
      })
      .toBe(1);
    await photos.close();
    timers.increment(2 * HOUR_MS);
    expect(warnings).toHaveLength(1);
  });
});
