/** What a recognition process is told and what it answers. Audio is 16 kHz mono. */
export type ToRecognition =
  | { readonly type: 'write'; readonly utterance: number; readonly pcm: Int16Array; readonly language: string }
  | { readonly type: 'voice'; readonly utterance: number; readonly voice: 'on' | 'off' }
  | { readonly type: 'finish'; readonly utterance: number }
  | { readonly type: 'drop'; readonly utterance: number };

export type FromRecognition =
  | { readonly type: 'ready' }
  /** `samples` of the utterance were looked at for this. `place`: as in `RecognitionHandlers`. */
  | {
      readonly type: 'partial';
      readonly utterance: number;
      readonly text: string;
      readonly samples: number;
      readonly place?: 'behind';
    }
  | { readonly type: 'final'; readonly utterance: number; readonly text: string; readonly confidence?: number }
  /** The process cannot work at all and is about to end. */
  | { readonly type: 'unusable'; readonly message: string };
