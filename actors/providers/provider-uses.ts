import type { TurnRecord } from '../report.ts';

export type ProviderService = 'stt' | 'llm' | 'tts';

/** A provider gave something. `place`: among those of the operator, 0 the preferred one. */
interface ProviderUse {
  readonly service: ProviderService;
  readonly provider: string;
  readonly place: number;
  /** ms on the session's clock. */
  readonly at: number;
}

export interface ProviderUses {
  /** The latest ones, oldest first. */
  readonly latest: readonly ProviderUse[];
  /** The place of whoever gave the last result. */
  readonly places: Readonly<Record<ProviderService, number>>;
}

export const NO_USES: ProviderUses = { latest: [], places: { stt: 0, llm: 0, tts: 0 } };

/** A use for each sentence, answer and utterance: more than the longest turn has. */
const MAX_USES = 600;

export function noteUse({ latest, places }: ProviderUses, use: ProviderUse): ProviderUses {
  return {
    latest: [...latest.slice(1 - MAX_USES), use],
    places: { ...places, [use.service]: use.place },
  };
}

/** @returns by which providers the turn was understood, answered and said, in the order of their first use. */
export function providersOf(turn: TurnRecord, { latest }: ProviderUses): NonNullable<TurnRecord['providers']> {
  const used = (service: ProviderService, from: number | null, to: number): string[] => {
    if (from === null) return [];
    const during = latest.filter((use) => use.service === service && use.at >= from && use.at <= to);
    return [...new Set(during.map(({ provider }) => provider))];
  };
  return {
    stt: used('stt', turn.userSpeechStartedAt, turn.transcribedAt ?? Infinity),
    llm: used('llm', turn.llmRequestedAt, Infinity),
    tts: used('tts', turn.synthesisStartedAt, Infinity),
  };
}
