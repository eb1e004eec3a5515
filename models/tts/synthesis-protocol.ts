import type { ProviderErrorCode, SynthesisChunk } from '../ports.ts';

/**
 * What passes between the service and a synthesis process (structured clone over the IPC pipe). One job at a time:
 * the process blocks while its library speaks.
 */
export interface SynthesisJob {
  readonly jobId: number;
  readonly text: string;
  /** The library's own name of the voice. */
  readonly voice: string;
  readonly language: string;
  /** 1 is the voice's own pace. */
  readonly speed: number;
  /** 1 is the voice's own loudness. */
  readonly volume: number;
}

export type SynthesisMessage =
  | { readonly type: 'ready' }
  /** The library is not there; the process ends. */
  | { readonly type: 'unavailable'; readonly message: string }
  | { readonly type: 'chunk'; readonly jobId: number; readonly chunk: SynthesisChunk }
  | { readonly type: 'end'; readonly jobId: number }
  | { readonly type: 'error'; readonly jobId: number; readonly code: ProviderErrorCode; readonly message: string };
