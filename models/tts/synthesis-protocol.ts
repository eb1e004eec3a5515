import type { ProviderErrorCode, SynthesisChunk } from '../ports.ts';

/**
 * Messages between the service and a synthesis process (structured clone over the IPC pipe). A process has one job at a
 * time, because the library blocks.
 */
export interface SynthesisJob {
  readonly jobId: number;
  readonly text: string;
  /** The name of the voice in the library. */
  readonly voice: string;
  readonly language: string;
  /** 1 is the default pace of the voice. */
  readonly speed: number;
  /** 1 is the default loudness of the voice. */
  readonly volume: number;
}

export type SynthesisMessage =
  | { readonly type: 'ready' }
  /** The library is missing. The process ends. */
  | { readonly type: 'unavailable'; readonly message: string }
  | { readonly type: 'chunk'; readonly jobId: number; readonly chunk: SynthesisChunk }
  | { readonly type: 'end'; readonly jobId: number }
  | { readonly type: 'error'; readonly jobId: number; readonly code: ProviderErrorCode; readonly message: string };
