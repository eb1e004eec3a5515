import type { Emitter } from './emitter.ts';
import { ClientError, type ErrorCode } from './errors.ts';
import type { ClientEvents } from './events.ts';
import type { Platform } from './platform.ts';

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

type MicrophonePlatform = Pick<Platform, 'mediaDevices' | 'createStream' | 'isFrameForbidden' | 'onPage'>;

const DENIALS: ReadonlySet<ErrorCode> = new Set(['microphone_denied', 'microphone_not_delegated']);
const NOT_DELEGATED =
  'The page is shown in a frame that may not use the microphone. Open it in a tab of its own; the site around it can allow the microphone.';
const FRAME_HINT =
  'This frame may not use the microphone. Write <iframe allow="microphone; autoplay" …> in the page around it. ' +
  'That page must not forbid it either (header "Permissions-Policy").';

/** Quieter than this counts as silence, dBFS; 0 dBFS is the level 1. */
const LEVEL_FLOOR_DB = -60;

/** The user's microphone: one track at a time, whose device can change. */
export class Microphone {
  readonly #events: Emitter<ClientEvents>;
  readonly #replaced: (track: MediaStreamTrack) => void;
  readonly #platform: MicrophonePlatform;
  #track: MediaStreamTrack | null = null;
  /** Who closes the track: a stream of the page stays open. */
  #owner: 'client' | 'page' = 'client';
  #muted = false;
  #permissionState: AudioPermissionState = 'not_requested';
  #meter: Meter | null = null;
  /** Counts the wishes. What the browser gives after a later wish is let go. */
  #wish = 0;
  /** Stops to wait for a device, after the last one was lost. */
  #stopWaiting: () => void = () => {};

  /** @param replaced is told of the track of another device. */
  constructor(
    events: Emitter<ClientEvents>,
    replaced: (track: MediaStreamTrack) => void,
    platform: MicrophonePlatform,
  ) {
    this.#platform = platform;
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
   * @throws ClientError `microphone_denied`, `microphone_not_delegated`, `microphone_missing`, `microphone_busy`, `insecure_page`
   */
  async open(deviceId: string | undefined): Promise<MediaStreamTrack> {
    this.#permissionState = 'pending';
    this.#events.emit('MIC_PERMISSION_PENDING');
    try {
      const track = await this.#capture(deviceId);
      this.#permissionState = 'granted';
      this.#events.emit('MIC_PERMISSION_GRANTED');
      return this.#take(track, 'client');
    } catch (cause) {
      const error = this.#errorOf(cause);
      if (error.code === 'not_streaming') throw error;
      this.#permissionState = DENIALS.has(error.code) ? 'denied' : 'not_requested';
      this.#events.emit('MIC_PERMISSION_DENIED', error.message, error);
      throw error;
    }
  }

  /** @throws ClientError `configuration` for a stream without sound. */
  use(stream: MediaStream): MediaStreamTrack {
    const [track] = stream.getAudioTracks();
    this.#wish += 1;
    if (track === undefined) throw new ClientError('configuration', 'The given stream has no audio track.');
    return this.#take(track, 'page');
  }

  /** Changes the device, also while live. @throws ClientError; the old device stays in use then. */
  async change(deviceId: string): Promise<void> {
    let track: MediaStreamTrack;
    try {
      track = await this.#capture(deviceId);
    } catch (cause) {
      throw this.#errorOf(cause);
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
    this.#wish += 1;
    this.#drop();
  }

  /** @throws ClientError `not_streaming` when something else was wished for meanwhile; and what the browser throws. */
  async #capture(deviceId: string | undefined): Promise<MediaStreamTrack> {
    this.#wish += 1;
    const wish = this.#wish;
    const ifWanted = <Result>(result: Result): Result => {
      if (wish === this.#wish) return result;
      throw new ClientError('not_streaming', 'The microphone is not needed any more.');
    };
    const track = await captureAudio(this.#platform, deviceId).catch((error: unknown) => {
      throw ifWanted(error);
    });
    if (wish !== this.#wish) track.stop();
    return ifWanted(track);
  }

  #take(track: MediaStreamTrack, owner: 'client' | 'page'): MediaStreamTrack {
    this.#drop();
    this.#track = track;
    this.#owner = owner;
    track.enabled = !this.#muted;
    this.#events.emit('INPUT_AUDIO_STREAM_STARTED', this.#platform.createStream([track]));
    // Unplugged: the conversation goes on with what the browser offers instead.
    if (owner === 'client')
      track.addEventListener('ended', () => {
        if (this.#track === track) void this.change('default').catch((error: ClientError) => this.#lost(track, error));
      });
    return track;
  }

  /** Until the next device is plugged in, the user cannot be heard. */
  #lost(track: MediaStreamTrack, error: ClientError): void {
    if (this.#track !== track) return;
    this.#stopWaiting = this.#platform.onPage('devicechange', () => {
      void this.change('default').catch(() => undefined);
    });
    this.#events.emit('INPUT_AUDIO_LOST', error);
  }

  #errorOf(cause: unknown): ClientError {
    const error = microphoneError(cause);
    if (error.code !== 'microphone_denied' || !this.#platform.isFrameForbidden()) return error;
    // For whoever made the page around the frame: nobody else can help.
    console.warn(`[parley] ${FRAME_HINT}`);
    return new ClientError('microphone_not_delegated', NOT_DELEGATED, { cause });
  }

  #drop(): void {
    this.#stopWaiting();
    this.#stopWaiting = () => {};
    this.#meter?.close();
    this.#meter = null;
    if (this.#owner === 'client') this.#track?.stop();
    this.#track = null;
  }
}

export async function listAudioInputDevices(
  platform: Pick<Platform, 'mediaDevices'>,
): Promise<readonly AudioInputDevice[]> {
  const devices = (await platform.mediaDevices()?.enumerateDevices()) ?? [];
  return devices.filter(({ kind }) => kind === 'audioinput').map(({ deviceId, label }) => ({ deviceId, label }));
}

async function captureAudio(
  platform: Pick<Platform, 'mediaDevices'>,
  deviceId: string | undefined,
): Promise<MediaStreamTrack> {
  const mediaDevices = platform.mediaDevices();
  if (mediaDevices === null)
    throw new ClientError('insecure_page', 'This page may not use the microphone: open it over https or on localhost.');
  const audio: MediaTrackConstraints & { voiceIsolation?: boolean } = {
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
    voiceIsolation: true,
    channelCount: 1,
    ...(deviceId !== undefined && { deviceId: deviceId === 'default' ? deviceId : { exact: deviceId } }),
  };
  const [track] = (await mediaDevices.getUserMedia({ audio })).getAudioTracks();
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
