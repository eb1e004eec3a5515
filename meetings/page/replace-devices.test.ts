import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { replaceDevices } from './replace-devices.ts';

class Track {
  readonly kind: string;
  readonly label = 'of the browser';
  isStopped = false;
  constructor(kind: string) {
    this.kind = kind;
  }
  clone(): Track {
    return new Track(this.kind);
  }
  getSettings(): object {
    return { frameRate: 30 };
  }
  stop(): void {
    this.isStopped = true;
  }
}
class Stream {
  readonly tracks: Track[] = [];
  addTrack(track: Track): void {
    this.tracks.push(track);
  }
}
class Devices {
  declare getUserMedia: (constraints?: object) => Promise<Stream>;
  declare getDisplayMedia: () => Promise<Stream>;
  declare enumerateDevices: () => Promise<{ kind: string; label: string }[]>;
}
class Browser {
  declare getUserMedia: (constraints: object, done: (stream: Stream) => void) => void;
}

describe('A page that asks for camera and microphone', () => {
  const microphone = new Track('audio');
  const camera = new Track('video');
  let taken: number;
  const devices = new Devices();
  beforeEach(() => {
    for (const [name, fake] of Object.entries({
      MediaDevices: Devices,
      MediaStream: Stream,
      Navigator: Browser,
      MediaDeviceInfo: Object,
    }))
      vi.stubGlobal(name, fake);
    taken = 0;
    const tracks = { microphone: () => microphone, camera: () => camera } as unknown;
    replaceDevices(tracks as Parameters<typeof replaceDevices>[0], () => (taken += 1));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('gets clones of the tracks that it asked for, which it may stop', async () => {
    const { tracks } = await devices.getUserMedia({ audio: true });
    expect(tracks.map(({ kind, label }) => [kind, label])).toEqual([['audio', 'Persona microphone']]);
    tracks[0]!.clone().stop();
    tracks[0]!.stop();
    expect(microphone.isStopped).toBe(false);
    expect((await devices.getUserMedia({ audio: {}, video: true })).tracks).toHaveLength(2);
    new Browser().getUserMedia({ video: true }, (stream) => expect(stream.tracks).toHaveLength(1));
    expect(taken).toBe(3);
  });

  it('sees devices with the same ids as its tracks, and shares the face when it shares its screen', async () => {
    expect((await devices.enumerateDevices()).map(({ kind }) => kind)).toEqual([
      'audioinput',
      'videoinput',
      'audiooutput',
    ]);
    const [screen] = (await devices.getDisplayMedia()).tracks;
    expect(screen!.getSettings()).toMatchObject({ deviceId: 'parley-camera', width: 720 });
  });

  it('gets nothing when it asks for nothing', async () => {
    await expect(devices.getUserMedia({})).rejects.toThrow(TypeError);
    expect(taken).toBe(0);
  });
});
