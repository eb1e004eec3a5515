export interface Microphone {
  readonly track: MediaStreamTrack;
  /** Loudness of the last moment, 0…1. */
  level(): number;
  close(): void;
}

/** Quieter than this is shown as silence, dBFS; 0 dBFS is the full meter. */
const METER_FLOOR_DB = -60;

/** @throws DOMException when the user or the browser refuses. */
export async function openMicrophone(): Promise<Microphone> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });
  const [track] = stream.getAudioTracks();
  if (track === undefined) throw new DOMException('The device has no microphone.', 'NotFoundError');
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    track,
    level() {
      if (!track.enabled) return 0;
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const db = 10 * Math.log10(power + 1e-12);
      return Math.min(1, Math.max(0, 1 - db / METER_FLOOR_DB));
    },
    close() {
      track.stop();
      void context.close();
    },
  };
}

/** Why there is no microphone, and what to do. */
export function microphoneProblem(error: unknown): string {
  if (navigator.mediaDevices === undefined)
    return 'This page may not use the microphone: open it over https or on localhost. You can still type.';
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError')
    return 'The browser did not allow the microphone. You can still type, or allow it in the address bar and start again.';
  if (name === 'NotFoundError') return 'No microphone was found. You can still type.';
  return 'The microphone could not be opened. You can still type.';
}
