import type { SynthesisChunk } from '../ports.ts';

/** What a process with a neural voice is told and what it answers. */
export type ToVoiceProcess =
  | {
      readonly type: 'speak';
      readonly id: number;
      readonly text: string;
      /** ISO 639-1. */
      readonly language: string;
      readonly speaker: number;
      /** 1 is the voice's own pace. */
      readonly speed: number;
      /** 1 is the voice's own loudness. */
      readonly volume: number;
    }
  /** Nobody listens any more: it ends after the piece in work. */
  | { readonly type: 'cancel'; readonly id: number };

export type FromVoiceProcess =
  | { readonly type: 'ready' }
  | { readonly type: 'chunk'; readonly id: number; readonly chunk: SynthesisChunk }
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number };
