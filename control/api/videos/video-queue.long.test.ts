import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AvatarVideoRequest, RenderedVideo } from '../../../engine/index.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import { EmbeddedJobQueue } from '../../jobs/embedded-job-queue.ts';
import { openBlobs, type DiskBlobs } from '../../store/blobs.ts';
import { claimsInMemory, type Claims } from '../../store/claims.ts';
import type { Store } from '../../store/open.ts';
import type { AvatarVideoRow } from '../../store/tables.ts';
import { describeOnBothDatabases } from '../../testing/stores.ts';
import { openVideoQueue, type VideoQueue } from './video-queue.ts';

const START = Date.parse('2026-03-01T10:00:00.000Z');
const OPTIONS = JSON.stringify({
  engineKey: 'key',
  voice: { provider: 'LOCAL', providerVoiceId: 'slt', tuning: { speed: 1.1 } },
  languageCode: 'en',
  directorNotes: { presetStyle: 'warm', expressivity: 0.4 },
  showAIAvatarDisclosure: true,
});

describeOnBothDatabases('the queue of videos', (stores) => {
  let store: Store;
  let blobs: DiskBlobs;
  let dir: string;
  let queue: VideoQueue;
  let now: number;
  /** Of all processes of the test. */
  let claims: Claims;
  /** Requests that the renderer got, and what ends them. */
  let asked: { request: AvatarVideoRequest; finish(): void; fail(error: Error): void }[];
  let room: boolean;

  beforeEach(async () => {
    store = await stores.open();
    dir = mkdtempSync(join(tmpdir(), 'parley-videos-'));
    blobs = openBlobs(dir);
    [now, asked, room, claims] = [START, [], true, claimsInMemory()];
    queue = open();
    for (const id of ['one', 'two'])
      await store.db
        .insertInto('organizations')
        .values({ id, name: id, entitlements_json: '[]', created_at: new Date(START).toISOString() })
        .execute();
  });
  afterEach(async () => {
    await queue.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** A renderer that writes a file and waits until the test tells it how it ends. */
  function render(request: AvatarVideoRequest): Promise<RenderedVideo> {
    return new Promise((resolve, reject) => {
      writeFileSync(request.path, 'a video');
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
      asked.push({ request, finish: () => resolve({ durationMs: 3480, bytes: 6 }), fail: reject });
    });
  }
  const log = pino({ level: 'silent' });
  function open(): VideoQueue {
    const jobs = new EmbeddedJobQueue({ timers: systemTimers, log });
    const opened = openVideoQueue({ store, blobs, render, mayStart: () => room, log, now: () => now, jobs, claims });
    return {
      ...opened,
      async close() {
        await opened.close();
        await jobs.close();
      },
    };
  }

  async function order(script: string, more: Partial<AvatarVideoRow> = {}): Promise<string> {
    const at = new Date(now++).toISOString();
    const id = randomUUID();
    await store.db
      .insertInto('avatar_videos')
      .values({
        id,
        organization_id: 'one',
        title: null,
        status: 'queued',
        script,
        persona_id: null,
        avatar_id: 'a',
        avatar_model: 'cara-4',
        voice_id: 'v',
        width: 720,
        height: 480,
        duration_seconds: null,
        file_size: null,
        blob_key: null,
        error_message: null,
        options_json: OPTIONS,
        progress: 0,
        attempts: 0,
        created_at: at,
        updated_at: at,
        completed_at: null,
        ...more,
      })
      .execute();
    return id;
  }
  const row = (id: string) =>
    store.db.selectFrom('avatar_videos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const status = (id: string) => async () => (await row(id)).status;
  const scripts = () => asked.map(({ request }) => request.script);

  it('makes what was ordered, and keeps the file', async () => {
    const id = await order('Hello.');
    queue.wake();
    await expect.poll(scripts).toEqual(['Hello.']);
    expect(asked[0]?.request).toMatchObject({
      engineKey: 'key',
      provider: 'LOCAL',
      providerVoiceId: 'slt',
      tuning: { speed: 1.1 },
      width: 720,
      height: 480,
      disclosure: true,
      acts: true,
      expressivity: 0.4,
      baselineStyle: 'warm',
      language: 'en',
    });
    expect((await row(id)).status).toBe('processing');
    asked[0]?.finish();
    await expect.poll(status(id)).toBe('completed');
    expect(await row(id)).toMatchObject({
      duration_seconds: 3.48,
      file_size: 6,
      progress: 1,
      blob_key: `videos/${id}-1.mp4`,
      completed_at: new Date(now).toISOString(),
    });
    expect((await blobs.read(`videos/${id}-1.mp4`)).toString()).toBe('a video');
  });

  it('takes one at a time, the oldest first, and organizations in turn', async () => {
    for (const script of ['first', 'second']) await order(script);
    await order('other', { organization_id: 'two' });
    queue.wake();
    for (const [i, script] of ['first', 'other', 'second'].entries()) {
      await expect.poll(scripts).toHaveLength(i + 1);
      expect(asked[i]?.request.script).toBe(script);
      asked[i]?.finish();
    }
  });

  it('says why one could not be made, and goes on with the next', async () => {
    const bad = await order('bad');
    const good = await order('good');
    queue.wake();
    await expect.poll(scripts).toHaveLength(1);
    asked[0]?.fail(new Error('The voice did not answer in time.'));
    await expect.poll(scripts).toHaveLength(2);
    expect(await row(bad)).toMatchObject({
      status: 'failed',
      error_message: 'The voice did not answer in time.',
      blob_key: null,
    });
    asked[1]?.finish();
    await expect.poll(status(good)).toBe('completed');
    expect(await blobs.sweep()).toBe(0);
  });

  it('stops a cancelled one at once, and never offers its file', async () => {
    const id = await order('long');
    queue.wake();
    await expect.poll(scripts).toHaveLength(1);
    await store.db.updateTable('avatar_videos').set({ status: 'cancelled' }).where('id', '=', id).execute();
    queue.wake();
    await expect.poll(() => asked[0]?.request.signal.aborted).toBe(true);
    const next = await order('next');
    queue.wake();
    await expect.poll(scripts).toHaveLength(2);
    expect(await row(id)).toMatchObject({ status: 'cancelled', error_message: null, blob_key: null });
    // Cancelled when it was almost finished: the file is deleted again.
    await store.db.updateTable('avatar_videos').set({ status: 'cancelled' }).where('id', '=', next).execute();
    asked[1]?.finish();
    await queue.close();
    expect((await row(next)).status).toBe('cancelled');
    expect(await blobs.list('videos')).toEqual([]);
  });

  it('waits while every slot is taken by live sessions', async () => {
    room = false;
    const id = await order('patient');
    await queue.resume();
    expect(await row(id)).toMatchObject({ status: 'queued', attempts: 0 });
    room = true;
    await expect.poll(scripts).toEqual(['patient']);
    asked[0]?.finish();
    await expect.poll(status(id)).toBe('completed');
  });

  it('gives the one in work back when the service stops, and the next process makes it', async () => {
    const id = await order('survivor');
    queue.wake();
    await expect.poll(scripts).toHaveLength(1);
    await queue.close();
    expect(await row(id)).toMatchObject({ status: 'queued', attempts: 0 });
    queue = open();
    queue.wake();
    await expect.poll(scripts).toHaveLength(2);
    asked[1]?.finish();
    await expect.poll(status(id)).toBe('completed');
  });

  it('makes again what a process left that was killed, but not for ever', async () => {
    const again = await order('again', { status: 'processing', attempts: 2 });
    const poison = await order('poison', { status: 'processing', attempts: 3 });
    const elsewhere = await order('elsewhere', { status: 'processing', attempts: 1 });
    // A process that lives, whatever its clock says.
    await claims.take(`video ${elsewhere}`);
    queue.wake();
    await expect.poll(scripts).toEqual(['again']);
    asked[0]?.finish();
    await expect.poll(status(again)).toBe('completed');
    expect(await row(poison)).toMatchObject({ status: 'failed', error_message: expect.stringContaining('stopped') });
    expect(await row(elsewhere)).toMatchObject({ status: 'processing', attempts: 1 });
  });

  it('keeps out what a process writes late that stood still while another one took over', async () => {
    const id = await order('contested');
    queue.wake();
    await expect.poll(scripts).toHaveLength(1);
    // The other process has the claim now, and does not know of the first one.
    const forgotten = claims;
    claims = claimsInMemory();
    const other = open();
    other.wake();
    await expect.poll(scripts).toHaveLength(2);
    asked[1]?.finish();
    await expect.poll(status(id)).toBe('completed');
    asked[0]?.finish();
    await expect.poll(() => forgotten.take(`video ${id}`)).not.toBeNull();
    expect(await row(id)).toMatchObject({ status: 'completed', attempts: 2, blob_key: `videos/${id}-2.mp4` });
    expect(await blobs.list('videos')).toEqual([`videos/${id}-2.mp4`]);
    await other.close();
  });
});
