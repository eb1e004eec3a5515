import { connectSdk, type InboundStats } from '../../e2e/support/sdk-session.ts';
import type { RunningService } from '../../e2e/support/service.ts';

/** Chromium's values from sender reports: which times of the sender are seen and heard now. */
export interface SkewSample {
  /** Ms since the persona was told to speak. */
  readonly at: number;
  /** How much earlier the video is than the audio, ms. Null: the browser has no sender reports yet. */
  readonly skew: number | null;
}

export interface ReportedRun {
  readonly samples: readonly SkewSample[];
  /** Lateness of the page's timers, ms. It shows when the browser has too little processor time. */
  readonly pageLateness: readonly number[];
  /** Delay of Chromium's jitter buffers at the end, ms. */
  readonly held: { readonly audio: number; readonly frame: number };
}

const SAMPLE_MS = 100;
/** Long enough for every run. */
const SPEECH =
  'The persona goes on talking so that the video has something to show, and does not stop before the end. '.repeat(20);

interface PlayoutStats extends InboundStats {
  readonly estimatedPlayoutTimestamp?: number;
  readonly jitterBufferDelay?: number;
  readonly jitterBufferEmittedCount?: number;
}
type Stats = { readonly audio?: PlayoutStats; readonly video?: PlayoutStats };

/** One session with the public client in its own Chromium. The persona speaks all the time. */
export async function measureReported(service: RunningService, seconds: number): Promise<ReportedRun> {
  const [{ data: avatars }, { data: voices }] = await Promise.all([
    service.api<{ data: { id: string }[] }>('GET', '/v1/avatars'),
    service.api<{ data: { id: string }[] }>('GET', '/v1/voices'),
  ]);
  const session = await connectSdk(service, {
    personaConfig: {
      name: 'Bench',
      avatarId: avatars[0]?.id,
      voiceId: voices[0]?.id,
      systemPrompt: 'You are Bench.',
      skipGreeting: true,
      voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    },
  });
  try {
    await session.until('SESSION_READY', (events) => events.some(({ event }) => event === 'SESSION_READY'));
    await session.call('talk', SPEECH);
    const { samples, pageLateness, first, last } = await session.browser.page.evaluate(
      async ([forMs, everyMs]) => {
        const readStats = () => globalThis.stats() as Promise<Stats>;
        const samples: SkewSample[] = [];
        const pageLateness: number[] = [];
        const from = performance.now();
        let first: Stats | null = null;
        let last: Stats = {};
        while (performance.now() - from < forMs) {
          const due = performance.now() + everyMs;
          await new Promise((resolve) => setTimeout(resolve, everyMs));
          pageLateness.push(performance.now() - due);
          last = await readStats();
          // These counters begin at the start. Only the last seconds are wanted.
          if (first === null && performance.now() - from > forMs / 2) first = last;
          const [seen, heard] = [last.video?.estimatedPlayoutTimestamp, last.audio?.estimatedPlayoutTimestamp];
          samples.push({ at: performance.now() - from, skew: seen && heard ? seen - heard : null });
        }
        return { samples, pageLateness, first: first ?? {}, last };
      },
      [seconds * 1_000, SAMPLE_MS] as const,
    );
    return {
      samples,
      pageLateness,
      held: { audio: heldMs(first.audio, last.audio), frame: heldMs(first.video, last.video) },
    };
  } finally {
    await session.close();
  }
}

function heldMs(first: PlayoutStats | undefined, last: PlayoutStats | undefined): number {
  const delay = (last?.jitterBufferDelay ?? 0) - (first?.jitterBufferDelay ?? 0);
  const emitted = (last?.jitterBufferEmittedCount ?? 0) - (first?.jitterBufferEmittedCount ?? 0);
  return (delay / emitted) * 1_000;
}
