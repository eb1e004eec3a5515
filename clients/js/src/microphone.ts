import type { Emitter } from './emitter.ts';
import { ClientError } from './errors.ts';
import type { ClientEvents } from './events.ts';

export type AudioPermissionState = 'pending' | 'granted' | 'denied' | 'not_requested';

export interface InputAudioState {
  readonly isMuted: boolean;
  readonly permissionState: AudioPermissionState;
}

export interface AudioInputDevice {
  readonly deviceId: string;
  /** Empty until the user has allowed the microphone. */
  readonly label: string;
}

/** Quieter than this counts as silence, dBFS; 0 dBFS is the level 1. */
const LEVEL_FLOOR_DB = -60;

/** The user's microphone: one track at a time, whose device can change. */
export class Microphone {
  readonly #events: Emitter<ClientEvents>;
  readonly #replaced: (track: MediaStreamTrack) => void;
  #track: MediaStreamTrack | null = null;
  /** Who closes the track: a stream of the page stays open. */
  #owner: 'client' | 'page' = 'client';
  #muted = false;
  #permissionState: AudioPermissionState = 'not_requested';
  #meter: Meter | null = null;

  /** @param replaced is told of the track of another device. */
  constructor(events: Emitter<ClientEvents>, replaced: (track: MediaStreamTrack) => void) {
    this.#events = events;
    this.#replaced = replaced;
  }

  get state(): InputAudioState {
    return { isMuted: this.#muted, permissionState: this.#permissionState };
  }

  get track(): MediaStreamTrack | null {
    return this.#track;
  }

  /**
   * Asks the user if need be.
   * @throws ClientError `microphone_denied`, `microphone_missing`, `microphone_busy`, `insecure_page`
   */
  async open(deviceId: string | undefined): Promise<MediaStreamTrack> {
    this.#permissionState = 'pending';
    this.#events.emit('MIC_PERMISSION_PENDING');
    try {
      const track = await captureAudio(deviceId);
      this.#permissionState = 'granted';
      this.#events.emit('MIC_PERMISSION_GRANTED');
      return this.#take(track, 'client');
    } catch (cause) {
      const error = microphoneError(cause);
      this.#permissionState = error.code === 'microphone_denied' ? 'denied' : 'not_requested';
      this.#events.emit('MIC_PERMISSION_DENIED', error.message, error);
      throw error;
    }
  }

  /** @throws ClientError `configuration` for a stream without sound. */
  use(stream: MediaStream): MediaStreamTrack {
    const [track] = stream.getAudioTracks();
    if (track === undefined) throw new ClientError('configuration', 'The given stream has no audio track.');
    return this.#take(track, 'page');
  }

  /** Changes the device, also while live. @throws ClientError; the old device stays in use then. */
  async change(deviceId: string): Promise<void> {
    let track: MediaStreamTrack;
    try {
      track = await captureAudio(deviceId);
    } catch (cause) {
      throw microphoneError(cause);
    }
    this.#permissionState = 'granted';
    this.#replaced(this.#take(track, 'client'));
    this.#events.emit('INPUT_AUDIO_DEVICE_CHANGED', track.getSettings().deviceId ?? deviceId);
  }

  mute(muted: boolean): InputAudioState {
    this.#muted = muted;
    if (this.#track !== null) this.#track.enabled = !muted;
    return this.state;
  }

  /** Loudness of the last moment, 0…1; 0 while muted. */
  level(): number {
    if (this.#track === null || this.#muted) return 0;
    this.#meter ??= openMeter(this.#track);
    return this.#meter.level();
  }

  close(): void {
    this.#drop();
  }

  #take(track: MediaStreamTrack, owner: 'client' | 'page'): MediaStreamTrack {
    this.#drop();
    this.#track = track;
    this.#owner = owner;
    track.enabled = !this.#muted;
    this.#events.emit('INPUT_AUDIO_STREAM_STARTED', new MediaStream([track]));
    // Unplugged: the conversation goes on with what the browser offers instead.
    if (owner === 'client')
      track.addEventListener('ended', () => {
        if (this.#track === track) void this.change('default').catch(() => undefined);
      });
    return track;
  }

  #drop(): void {
    this.#meter?.close();
    this.#meter = null;
    if (this.#owner === 'client') this.#track?.stop();
    this.#track = null;
  }
}

/** Whether the browser would ask the user before it gives the microphone. */
export async function mustAsk(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' as PermissionName })).state === 'prompt';
  } catch {
    // This browser does not tell.
    return true;
  }
}

export async function listAudioInputDevices(): Promise<readonly AudioInputDevice[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return devices.filter(({ kind }) => kind === 'audioinput').map(({ deviceId, label }) => ({ deviceId, label }));
}

async function captureAudio(deviceId: string | undefined): Promise<MediaStreamTrack> {
  if (navigator.mediaDevices === undefined)
    throw new ClientError('insecure_page', 'This page may not use the microphone: open it over https or on localhost.');
  const audio: MediaTrackConstraints & { voiceIsolation?: boolean } = {
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
    voiceIsolation: true,
    channelCount: 1,
    ...(deviceId !== undefined && { deviceId: deviceId === 'default' ? deviceId : { exact: deviceId } }),
  };
  const [track] = (await navigator.mediaDevices.getUserMedia({ audio })).getAudioTracks();
  if (track === undefined) throw new DOMException('', 'NotFoundError');
  return track;
}

function microphoneError(cause: unknown): ClientError {
  if (cause instanceof ClientError) return cause;
  switch (cause instanceof DOMException ? cause.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return new ClientError(
        'microphone_denied',
        'The browser did not allow the microphone. It can be allowed in the address bar.',
        { cause },
      );
    case 'NotFoundError':
    case 'OverconstrainedError':
      return new ClientError('microphone_missing', 'No microphone was found.', { cause });
    default:
      return new ClientError('microphone_busy', 'The microphone could not be opened. Another program may use it.', {
        cause,
      });
  }
}

interface Meter {
  level(): number;
  close(): void;
}

function openMeter(track: MediaStreamTrack): Meter {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const db = 10 * Math.log10(power + 1e-12);
      return Math.min(1, Math.max(0, 1 - db / LEVEL_FLOOR_DB));
    },
    close: () => void context.close(),
  };
}
