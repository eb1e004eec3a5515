/** Names of the interface before its release. */
export const BETA_NAMES: Readonly<Record<string, string>> = {
  'conversation.item.added': 'conversation.item.created',
  'response.output_audio.delta': 'response.audio.delta',
  'response.output_audio.done': 'response.audio.done',
  'response.output_audio_transcript.delta': 'response.audio_transcript.delta',
  'response.output_audio_transcript.done': 'response.audio_transcript.done',
  'response.output_text.delta': 'response.text.delta',
};
