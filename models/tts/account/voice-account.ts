import type { StockVoice } from '../voices.ts';

/** A voice that an account can use, as its service tells it. */
export interface OfferedVoice {
  readonly providerVoiceId: string;
  readonly displayName: string;
  readonly gender: StockVoice['gender'] | null;
  /** ISO 639-1 codes of the languages that it was made for, the best one first. Null: unknown. */
  readonly languages: readonly string[] | null;
  /** ISO 3166-1 alpha-2 of the accent, or null. */
  readonly country: string | null;
  readonly description: string | null;
  /** Address of a recording of it, or null. */
  readonly sampleUrl: string | null;
}

/** What a TTS service knows of the operator's account: its voices, and copies of voices. Nothing is spoken here. */
export interface VoiceAccount {
  /**
   * All voices, without those that Parley made for an organization (`ownerMark`).
   * @throws VoiceAccountError
   */
  list(signal: AbortSignal): Promise<OfferedVoice[]>;
  /**
   * Headers for reading a recording from the service itself: its key, where it needs one. The recording of a voice may
   * also be at another server, which gets no key.
   */
  readonly sampleHeaders: Readonly<Record<string, string>>;
  /** Where the service is: `https://api.example.com`. */
  readonly origin: string;
  /** Absent: this service cannot copy voices. */
  readonly cloning?: VoiceCloning;
  close(): Promise<void>;
}

export interface VoiceCloning {
  /** What a recording should be like, as a sentence. */
  readonly advice: string;
  /** ISO 639-1 codes that a copy can have; null: the service does not want to know. */
  readonly languages: readonly string[] | null;
  /** @returns the name of the new voice. @throws VoiceAccountError */
  clone(wanted: WantedCopy, signal: AbortSignal): Promise<string>;
  /** Does nothing when it is gone already. @throws VoiceAccountError */
  remove(providerVoiceId: string, signal: AbortSignal): Promise<void>;
}

export interface WantedCopy {
  readonly name: string;
  readonly description: string | null;
  /** Whose it is: it is never offered to others. */
  readonly organizationId: string;
  /** ISO 639-1. */
  readonly language: string;
  /** Noise is removed from the recording first. */
  readonly enhance: boolean;
  readonly recording: {
    /** On disk: it is read as it is sent. */
    readonly path: string;
    readonly filename: string;
    readonly contentType: string;
  };
}

/**
 * Why an account could not do what was asked:
 * `request` – the service does not accept the recording or a field; `plan` – the operator's plan or its limits;
 * `key` – the operator's key; `busy` – too many requests; `down` – no usable answer.
 */
export type AccountProblem = 'request' | 'plan' | 'key' | 'busy' | 'down';

/** `message` is a sentence for people. It holds nothing of the service's answer. */
export class VoiceAccountError extends Error {
  override readonly name = 'VoiceAccountError';
  readonly problem: AccountProblem;

  constructor(problem: AccountProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

const MARK = /^Parley organization [\w-]+\b/u;
/** Of what a service stores. Longer ones are cut. */
const MAX_DESCRIPTION_LENGTH = 400;

/**
 * What is written into the description of a copy, at the service: whose it is. Several organizations, processes and
 * deployments can share an account. A list of an account says nothing of owners, so only this keeps the voice of one
 * organization from being offered to all.
 */
export function describeCopy({ organizationId, description }: WantedCopy): string {
  const mark = `Parley organization ${organizationId}`;
  return description === null ? mark : `${mark}: ${description}`.slice(0, MAX_DESCRIPTION_LENGTH);
}

/** @param description of a voice at the service. @returns whether it was made for an organization. */
export function isCopyOfOrganization(description: string | null | undefined): boolean {
  return typeof description === 'string' && MARK.test(description);
}
