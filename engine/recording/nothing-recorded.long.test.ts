import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pino from 'pino';
import { afterAll, expect, it } from 'vitest';
import { createRecording } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-recording-'));
const log = pino({ level: 'silent' });
afterAll(() => rmSync(folder, { recursive: true }));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

// The client left after its first frames and before a keyframe: the worker said nothing, and the handlers held the whole
// session for as long as the process lived.
it('a recording in which nothing was recorded is forgotten', async () => {
  const recording = createRecording({ folder, log });
  const record = (): WeakRef<object> => {
    const session = { finished() {}, failed() {} };
    const stream = recording.open({ sessionId: 'short', width: 320, height: 240, handlers: session });
    stream.frame({ data: new Uint8Array([0, 0, 1]), keyframe: false, at: 0 }, 'vp8');
    stream.close();
    return new WeakRef(session);
  };
  const session = record();
  await expect
    .poll(() => {
      collectGarbage();
      return session.deref() === undefined;
    })
    .toBe(true);
  await recording.close();
});

it('a recording whose folder cannot be made says so, and the session goes on', async () => {
  const file = join(folder, 'a file');
  writeFileSync(file, '');
  const recording = createRecording({ folder: join(file, 'recordings'), log });
  const told: string[] = [];
  const handlers = { finished() {}, failed: (message: string) => void told.push(message) };
  const stream = recording.open({ sessionId: 's', width: 320, height: 240, handlers });
  for (let frame = 0; frame < 3; frame++)
    stream.frame({ data: new Uint8Array([0, 0, 1]), keyframe: frame === 0, at: frame * 40 }, 'vp8');
  stream.close();
  expect(told).toEqual(['The recording could not begin.']);
  await recording.close();
});
