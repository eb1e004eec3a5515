/** One direction of one medium. */
export interface MediaStats {
  readonly packets: number;
  readonly packetsLost: number;
  /** Since the reading before; null at the first. */
  readonly bitsPerSecond: number | null;
  /** For example `video/H264`. */
  readonly codec: string | null;
}

export interface ReceivedMediaStats extends MediaStats {
  readonly jitterMs: number | null;
  /** How long media waits in the browser's jitter buffer, on average. */
  readonly jitterBufferMs: number | null;
}

export interface VideoStats extends ReceivedMediaStats {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly framesDecoded: number;
  readonly freezeCount: number;
  readonly freezeMs: number;
}

export interface AudioStats extends ReceivedMediaStats {
  /** Share of the sound that had to be made up because it was missing, 0…1. */
  readonly concealedShare: number;
}

export interface ConnectionStats {
  readonly roundTripMs: number | null;
  /** Whether a TURN server carries the media. */
  readonly relayed: boolean;
  readonly protocol: string | null;
  readonly video: VideoStats | null;
  readonly audio: AudioStats | null;
  /** What this page sends. Null without a microphone. */
  readonly microphone: MediaStats | null;
}

type Entry = Readonly<Record<string, unknown>>;

/** Reads the browser's statistics. It remembers the reading before, for rates. */
export class StatsReader {
  readonly #before = new Map<unknown, { readonly bytes: number; readonly at: number }>();

  read(report: RTCStatsReport): ConnectionStats {
    const entries: Entry[] = [];
    report.forEach((entry: Entry) => entries.push(entry));
    const find = (type: string, kind: string): Entry | undefined =>
      entries.find((entry) => entry['type'] === type && entry['kind'] === kind);
    const transport = entries.find((entry) => entry['type'] === 'transport');
    const pair =
      (report.get(String(transport?.['selectedCandidatePairId'])) as Entry | undefined) ??
      entries.find((entry) => entry['type'] === 'candidate-pair' && entry['nominated'] === true);
    const local = report.get(String(pair?.['localCandidateId'])) as Entry | undefined;
    const roundTrip = pair?.['currentRoundTripTime'];
    const video = find('inbound-rtp', 'video');
    const audio = find('inbound-rtp', 'audio');
    const microphone = find('outbound-rtp', 'audio');
    const lost = find('remote-inbound-rtp', 'audio');
    return {
      roundTripMs: typeof roundTrip === 'number' ? roundTrip * 1000 : null,
      relayed: local?.['candidateType'] === 'relay',
      protocol: typeof local?.['protocol'] === 'string' ? local['protocol'] : null,
      video: video === undefined ? null : this.#video(video, report),
      audio:
        audio === undefined
          ? null
          : {
              ...this.#received(audio, report),
              concealedShare: share(number(audio, 'concealedSamples'), number(audio, 'totalSamplesReceived')),
            },
      microphone:
        microphone === undefined
          ? null
          : {
              packets: number(microphone, 'packetsSent'),
              packetsLost: lost === undefined ? 0 : number(lost, 'packetsLost'),
              bitsPerSecond: this.#rate(microphone, 'bytesSent'),
              codec: codecOf(microphone, report),
            },
    };
  }

  #video(entry: Entry, report: RTCStatsReport): VideoStats {
    return {
      ...this.#received(entry, report),
      width: number(entry, 'frameWidth'),
      height: number(entry, 'frameHeight'),
      framesPerSecond: number(entry, 'framesPerSecond'),
      framesDecoded: number(entry, 'framesDecoded'),
      freezeCount: number(entry, 'freezeCount'),
      freezeMs: number(entry, 'totalFreezesDuration') * 1000,
    };
  }

  #received(entry: Entry, report: RTCStatsReport): ReceivedMediaStats {
    const jitter = entry['jitter'];
    const emitted = number(entry, 'jitterBufferEmittedCount');
    return {
      packets: number(entry, 'packetsReceived'),
      packetsLost: number(entry, 'packetsLost'),
      bitsPerSecond: this.#rate(entry, 'bytesReceived'),
      codec: codecOf(entry, report),
      jitterMs: typeof jitter === 'number' ? jitter * 1000 : null,
      jitterBufferMs: emitted === 0 ? null : (number(entry, 'jitterBufferDelay') / emitted) * 1000,
    };
  }

  #rate(entry: Entry, field: string): number | null {
    const now = { bytes: number(entry, field), at: number(entry, 'timestamp') };
    const before = this.#before.get(entry['id']);
    this.#before.set(entry['id'], now);
    if (before === undefined || now.at <= before.at) return null;
    return ((now.bytes - before.bytes) * 8 * 1000) / (now.at - before.at);
  }
}

function codecOf(entry: Entry, report: RTCStatsReport): string | null {
  const codec = report.get(String(entry['codecId'])) as Entry | undefined;
  return typeof codec?.['mimeType'] === 'string' ? codec['mimeType'] : null;
}

function number(entry: Entry, field: string): number {
  const value = entry[field];
  return typeof value === 'number' ? value : 0;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
