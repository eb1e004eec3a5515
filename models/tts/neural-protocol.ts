import type { SynthesisChunk } from '../ports.ts';

/** Messages to and from the process of a neural model. */
export type ToVoiceProcess =
  | {
      readonly type: 'speak';
      readonly id: number;
      readonly text: string;
      /** ISO 639-1. */
      readonly language: string;
      /** The first words go first. */
      readonly isWaitedFor: boolean;
      readonly speaker: number;
      /** How it pronounces, as espeak-ng names it; null: as its model says. */
      readonly lang: string | null;
      /** 1 is the default pace of the voice. */
      readonly speed: number;
      /** 1 is the default loudness of the voice. */
      readonly volume: number;
    }
  /** The sentence is canceled. It ends after the present piece. */
  | { readonly type: 'cancel'; readonly id: number };

export type FromVoiceProcess =
  | { readonly type: 'ready' }
  | { readonly type: 'chunk'; readonly id: number; readonly chunk: SynthesisChunk }
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number };
