/**
 * Lets every stock avatar speak one sentence, for the documentation: docs/images/avatars/<key>.mp4. Run it after a
 * change of the drawings: node scripts/render-avatar-videos.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAvatarVideos } from '../engine/avatar-video/index.ts';
import { systemTimers } from '../runtime/clock.ts';
import { AVATAR_CATALOGUE, createFace } from '../engine/face/index.ts';
import { createOfflineSynthesizer } from '../models/tts/offline.ts';

/** Closed lips, lips on teeth, rounded lips, and a name. */
const scriptOf = (name: string): string => `Mama, five, you, oh. My name is ${name}.`;
/** Who does not sound like this voice sounds like the other one. */
const DEEP_VOICES: ReadonlySet<string> = new Set(['Marcus', 'Arthur', 'Leo']);

const images = new URL('../docs/images/avatars/', import.meta.url);
const log = { info() {}, warn: console.warn, error: console.error, debug() {} } as never;
const cacheDir = await mkdtemp(join(tmpdir(), 'parley-avatars-'));
const face = createFace({ workers: 1, cacheDir, log });
const synthesizer = createOfflineSynthesizer();
const videos = createAvatarVideos({ face, synthesizers: { LOCAL: synthesizer }, timers: systemTimers });
try {
  for (const { engineKey, displayName } of AVATAR_CATALOGUE) {
    const video = await videos.render({
      script: scriptOf(displayName),
      engineKey,
      width: 720,
      height: 480,
      provider: 'LOCAL',
      providerVoiceId: DEEP_VOICES.has(displayName) ? 'rms' : 'slt',
      language: 'en',
      tuning: {},
      disclosure: false,
      acts: true,
      expressivity: null,
      baselineStyle: null,
      path: fileURLToPath(new URL(`${engineKey}.mp4`, images)),
      signal: AbortSignal.timeout(300_000),
    });
    console.log(
      `${displayName} → docs/images/avatars/${engineKey}.mp4 (${(video.durationMs / 1000).toFixed(1)} s, ${Math.round(video.bytes / 1000)} kB)`,
    );
  }
} finally {
  await videos.close();
  await face.close();
  await synthesizer.close();
  await rm(cacheDir, { recursive: true, force: true });
}
