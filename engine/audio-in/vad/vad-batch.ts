import type { VadInput, VadModel } from '../../../models/ports.ts';
import { VAD_CONTEXT_SAMPLES, VAD_STATE_LENGTH, VAD_WINDOW_SAMPLES } from '../../../models/vad/silero.ts';
import type { AudioWindow } from '../receive/user-audio.ts';

/** What the model remembers of one sound. */
class Lane implements VadInput {
  readonly samples = new Float32Array(VAD_CONTEXT_SAMPLES + VAD_WINDOW_SAMPLES);
  readonly state = new Float32Array(VAD_STATE_LENGTH);

  load(window: Float32Array): void {
    this.samples.copyWithin(0, VAD_WINDOW_SAMPLES);
    this.samples.set(window, VAD_CONTEXT_SAMPLES);
  }

  forget(): void {
    this.samples.fill(0);
    this.state.fill(0);
  }

  become(other: Lane): void {
    this.samples.set(other.samples);
    this.state.set(other.state);
  }
}

/** One session's two sounds: unfiltered, and after the noise filter. */
export class VadLanes {
  readonly raw = new Lane();
  readonly filtered = new Lane();
}

/**
 * Judges one window of each of many sessions in one run. A filter before the model can add false speech (music,
 * babble), and the unfiltered sound contains noise. So each window gets the lower of its two probabilities.
 * @param windows at most one per session. @returns their probabilities, in order.
 */
export function runVad(model: VadModel, windows: readonly { lanes: VadLanes; window: AudioWindow }[]): number[] {
  const batch: Lane[] = [];
  for (const { lanes, window } of windows) {
    if (window.follows === 'pause') {
      lanes.raw.forget();
      lanes.filtered.forget();
    }
    lanes.raw.load(window.raw);
    batch.push(lanes.raw);
    if (window.filtered === null) continue;
    lanes.filtered.load(window.filtered);
    batch.push(lanes.filtered);
  }
  const probabilities = model.run(batch);
  let next = 0;
  return windows.map(({ lanes, window }) => {
    const raw = probabilities[next++] as number;
    if (window.filtered !== null) return Math.min(raw, probabilities[next++] as number);
    // The filter did nothing, so both sounds are the same: its memory will continue from here.
    lanes.filtered.become(lanes.raw);
    return raw;
  });
}
