/** What passes through the media path: each kind of data has one shape, from the transport to its last reader. */

/** One Opus packet of the user's microphone, as RTP carried it. */
export interface AudioPacket {
  /** 1 byte or more. The transport lends this memory: whoever keeps it beyond the call makes a copy. */
  readonly payload: Uint8Array;
  /** RTP sequence number, 0…65535; it wraps. */
  readonly sequence: number;
  /** RTP timestamp of its first sample: samples at 48 kHz in 32 bits; it wraps. */
  readonly timestamp: number;
  /** Engine time in ms at which it came. */
  readonly arrivedAt: number;
}

/** 20 ms of the persona's voice. */
export interface EncodedAudioFrame {
  /** One Opus packet. */
  readonly data: Uint8Array;
  /** Engine time in ms at which its first sample is to be heard. */
  readonly at: number;
}

export interface EncodedVideoFrame {
  /** H.264: Annex B with parameter sets at every keyframe. VP8: one frame. */
  readonly data: Uint8Array;
  readonly keyframe: boolean;
  /**
   * Engine time in ms at which it is to be seen; the transport makes a 90 kHz RTP timestamp of it, on one clock with
   * audio.
   */
  readonly at: number;
}
