import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, it } from 'vitest';
import { createRecording } from './index.ts';

/** A copy of each piece stayed with the thread that paces media until its next collection: 190 KB a second of each session. */
it('recorded sound goes to the thread that writes it, and nothing of it stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-recording-'));
  const recording = createRecording({ folder, log: pino({ level: 'silent' }) });
  const handlers = { finished() {}, failed() {} };
  const stream = recording.open({ sessionId: 's', width: 320, height: 240, handlers });
  stream.frame({ data: new Uint8Array([0, 0, 1]), keyframe: false, at: 0 }, 'vp8');
  const pcm = new Int16Array(960);
  stream.audio('user', pcm, 0);
  expect(pcm.byteLength).toBe(0);
  stream.close();
  await recording.close();
  rmSync(folder, { recursive: true });
});
