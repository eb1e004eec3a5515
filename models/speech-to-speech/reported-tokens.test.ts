import { describe, expect, it } from 'vitest';
import { geminiTokens, realtimeTokens } from './reported-tokens.ts';

describe("tokens of OpenAI's Realtime protocol", () => {
  it('are text and sound, each anew or from the cache', () => {
    const usage = {
      total_tokens: 275,
      input_tokens: 127,
      output_tokens: 148,
      input_token_details: {
        cached_tokens: 64,
        text_tokens: 97,
        audio_tokens: 28,
        image_tokens: 2,
        cached_tokens_details: { text_tokens: 44, audio_tokens: 20 },
      },
      output_token_details: { text_tokens: 36, audio_tokens: 112 },
    };
    expect(realtimeTokens(usage)).toEqual({
      tokens: {
        inputTokens: 55,
        cachedInputTokens: 44,
        outputTokens: 36,
        audioInputTokens: 8,
        cachedAudioInputTokens: 20,
        audioOutputTokens: 112,
      },
      isComplete: true,
    });
  });

  it('are not all known where a server does not say of which kind they are', () => {
    const unsplit = {
      input_tokens: 100,
      output_tokens: 50,
      output_tokens_details: { text_tokens: 0, audio_tokens: 50 },
    };
    expect(realtimeTokens(unsplit)).toEqual({ tokens: { audioOutputTokens: 50 }, isComplete: false });
    const cached = { ...unsplit, input_token_details: { text_tokens: 60, audio_tokens: 40, cached_tokens: 80 } };
    expect(realtimeTokens(cached)).toEqual({
      tokens: { cachedInputTokens: 60, cachedAudioInputTokens: 20, audioInputTokens: 20, audioOutputTokens: 50 },
      isComplete: true,
    });
  });

  it.each([null, undefined, 'many', [], {}, { input_tokens: 5 }, { input_tokens: -1, output_tokens: 2 }])(
    'are unknown: %j',
    (usage) => {
      expect(realtimeTokens(usage)).toBeNull();
      expect(geminiTokens(usage)).toBeNull();
    },
  );
});

describe('tokens of Gemini Live', () => {
  it('are added up by what they are, with thoughts and what its own tools say as text', () => {
    const usage = {
      promptTokenCount: 500,
      cachedContentTokenCount: 300,
      responseTokenCount: 90,
      toolUsePromptTokenCount: 7,
      thoughtsTokenCount: 11,
      totalTokenCount: 608,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 380 },
        { modality: 'AUDIO', tokenCount: 120 },
      ],
      cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 300 }],
      responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 90 }],
    };
    expect(geminiTokens(usage)).toEqual({
      tokens: {
        inputTokens: 87,
        cachedInputTokens: 300,
        outputTokens: 11,
        audioInputTokens: 120,
        audioOutputTokens: 90,
      },
      isComplete: true,
    });
  });

  it('are not all known where the kinds are not told of all', () => {
    const usage = {
      promptTokenCount: 10,
      responseTokenCount: 4,
      responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 4 }],
    };
    expect(geminiTokens(usage)).toEqual({ tokens: { audioOutputTokens: 4 }, isComplete: false });
  });
});
