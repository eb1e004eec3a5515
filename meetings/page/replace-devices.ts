/** The persona's tracks in the place of the machine's devices, which has none. */

export interface PersonaTracks {
  readonly microphone: () => MediaStreamTrack;
  readonly camera: () => MediaStreamTrack;
}

type Kind = 'audio' | 'video';

const DEVICES = {
  audio: { deviceId: 'parley-microphone', kind: 'audioinput', label: 'Persona microphone', groupId: 'parley' },
  video: { deviceId: 'parley-camera', kind: 'videoinput', label: 'Persona camera', groupId: 'parley' },
} as const;
/** Pages offer a choice of speakers, and some complain when there is none. */
const SPEAKER = { deviceId: 'default', kind: 'audiooutput', label: 'Persona speaker', groupId: 'parley' } as const;

/** @param taken called when the page takes a track. */
export function replaceDevices(tracks: PersonaTracks, taken: () => void): void {
  const give = (constraints: MediaStreamConstraints | undefined): MediaStream => {
    const wanted = { audio: constraints?.audio ?? false, video: constraints?.video ?? false };
    if (wanted.audio === false && wanted.video === false)
      throw new TypeError('At least one of audio and video must be requested');
    const stream = new MediaStream();
    // Pages refuse a stream with a track that they did not ask for.
    if (wanted.audio !== false) stream.addTrack(asDevice(tracks.microphone(), 'audio'));
    if (wanted.video !== false) stream.addTrack(asDevice(tracks.camera(), 'video'));
    taken();
    return stream;
  };
  const { prototype } = MediaDevices;
  Object.assign(prototype, {
    getUserMedia: async (constraints?: MediaStreamConstraints) => give(constraints),
    getDisplayMedia: async () => give({ video: true }),
    enumerateDevices: async () => [DEVICES.audio, DEVICES.video, SPEAKER].map(deviceInfo),
  });
  type Legacy = (constraints: MediaStreamConstraints, done: (stream: MediaStream) => void) => void;
  const legacy: Legacy = (constraints, done) => done(give(constraints));
  Object.assign(Navigator.prototype, { getUserMedia: legacy, webkitGetUserMedia: legacy });
}

/** A clone that looks like a device. Pages stop what they were given, so they never get the persona's own track. */
function asDevice(track: MediaStreamTrack, kind: Kind): MediaStreamTrack {
  const device = DEVICES[kind];
  const clone = track.clone();
  const settings = clone.getSettings.bind(clone);
  const copy = clone.clone.bind(clone);
  return Object.defineProperties(clone, {
    label: { value: device.label },
    getSettings: {
      value: () => ({
        ...settings(),
        deviceId: device.deviceId,
        groupId: device.groupId,
        ...(kind === 'video' && SHAPE),
      }),
    },
    getCapabilities: { value: () => ({ deviceId: device.deviceId, groupId: device.groupId }) },
    // The picture and the sound are what they are.
    applyConstraints: { value: async () => undefined },
    clone: { value: () => asDevice(copy(), kind) },
  });
}

/** Of the persona's usual picture. */
const SHAPE = { width: 720, height: 480, frameRate: 25, aspectRatio: 1.5 };

function deviceInfo(device: (typeof DEVICES)[Kind] | typeof SPEAKER): MediaDeviceInfo {
  const values = Object.entries(device).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.create(MediaDeviceInfo.prototype, {
    ...Object.fromEntries(values),
    toJSON: { value: () => device },
    getCapabilities: { value: () => ({ deviceId: device.deviceId, groupId: device.groupId }) },
  }) as MediaDeviceInfo;
}
