import { idleScript } from '../face/animation/idle-script.ts';
import { FRAME_MS } from '../face/frame-rate.ts';
import { stampLabel } from '../face/rendering/disclosure.ts';
import { Mp4File } from '../recording/mp4-file.ts';
import type { VideoComposerOptions } from './video-composer.ts';
import { VideoFileEncoder, type FileFrame } from './video-file-encoder.ts';

/** Any of them would do: each begins and ends in the same pose. */
const VARIATION = 0;

/**
 * A face that waits, for one breath, without sound. It ends as it begins, so that a player can show it over and over.
 * Yields after every frame, so that a thread can do something else between them.
 * @returns how long it is, in ms. @throws when it cannot be written.
 */
export function* makeIdleVideo({
  path,
  renderer,
  label,
  baselineStyle,
  expressivity,
  threads,
}: Omit<VideoComposerOptions, 'seed'>): Generator<void, number> {
  const { width, height } = renderer;
  const encoder = new VideoFileEncoder({ width, height, threads });
  const painter = renderer.createPainter(encoder.frame);
  const composer: { file: Mp4File | null } = { file: null };
  const write = (frames: readonly FileFrame[]): void => {
    for (const { data, keyframe, shownAt, decodedAt } of frames) {
      composer.file ??= new Mp4File(path, { width, height, firstFrame: data }, null, 'whole');
      composer.file.video(data, keyframe, shownAt * FRAME_MS, decodedAt * FRAME_MS, FRAME_MS);
    }
  };
  try {
    const poses = idleScript('idle', baselineStyle, expressivity, VARIATION);
    for (const pose of poses) {
      painter.paint(pose);
      if (label !== null) stampLabel(label, encoder.frame);
      write(encoder.encode());
      yield;
    }
    write(encoder.finish());
    return poses.length * FRAME_MS;
  } finally {
    painter.close?.();
    encoder.close();
    composer.file?.close();
  }
}
