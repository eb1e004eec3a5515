import { z } from 'zod';
import { httpUrl } from '../option-values.ts';
import type { LanguageModel } from '../ports.ts';
import { anthropicRequest } from './anthropic-body.ts';
import { Thoughts } from './anthropic-thinking.ts';
import type { LlmDefinition } from './definition.ts';
import { endpointOptions, type LlmProvider, type LlmTools } from './llm-provider.ts';
import { mayBeEmpty, prepareRequest } from './request/prepare-request.ts';
import { without } from './request/without-fields.ts';
import { AnthropicReader } from './wire/anthropic-reader.ts';
import { AnyFormReader } from './wire/any-form-reader.ts';
import { askEndpoint, type WireEndpoint } from './wire/ask-endpoint.ts';
import { namesFromWire } from './wire/names-from-wire.ts';
import { WireToolNames } from './wire-tool-names.ts';

const options = z.object({
  ...endpointOptions,
  baseUrl: httpUrl().default('https://api.anthropic.com').describe('Endpoint of the stock LLM.'),
  // The API requires a key.
  apiKey: endpointOptions.apiKey.unwrap().describe('Its key.'),
});

/**
 * Claude, by the Messages API with server-sent events: https://platform.claude.com/docs/en/build-with-claude/streaming.
 * Not tried against the real service.
 */
export const anthropic: LlmProvider<typeof options> = {
  id: 'anthropic',
  about: 'Claude, by the Messages API of Anthropic',
  options,
  limits: z.object({ temperature: z.number().min(0).max(1).nullable() }),
  open: createAnthropic,
};

/** The version of the API, and where the key goes, as its own client 1.12 does it (https://platform.claude.com/docs/en/api/versioning). */
const API_VERSION = '2026-10-21';

/** One endpoint of the Messages API. */
export function createAnthropic(
  definition: LlmDefinition,
  url: string,
  { fetch, deadlines, memory }: LlmTools,
): LanguageModel {
  const thoughts = new Thoughts();
  const wire: WireEndpoint = {
    provider: definition.name,
    form: 'anthropic',
    url: anthropicEndpoint(url),
    headers: {
      'anthropic-version': API_VERSION,
      ...(definition.secret && { authorization: `Bearer ${definition.secret}` }),
    },
    secret: definition.secret,
    fetch,
    deadlines,
    memory,
    prepare(request) {
      const names = new WireToolNames(request.tools);
      const prepared = prepareRequest(request, memory, { schemas: 'strict', afterResult: 'anybody' });
      const { body, headers, fingerprint } = anthropicRequest(
        { ...definition, maxTokens: memory.fewerTokens(definition.maxTokens) },
        prepared,
        names,
        thoughts,
      );
      const offered = prepared.tools.map(({ name }) => names.toWire(name));
      const reader = new AnthropicReader(offered, mayBeEmpty(request), (calls, thought) =>
        thoughts.remember(
          fingerprint,
          calls.map((call) => ({ ...call, name: names.fromWire(call.name) })),
          thought,
        ),
      );
      return {
        body: without({ ...body }, memory),
        headers,
        reader: namesFromWire(new AnyFormReader('anthropic', reader, offered, mayBeEmpty(request)), names),
        leftOut: prepared.leftOut,
      };
    },
  };
  return { name: definition.name, stream: (request, signal) => askEndpoint(wire, request, signal) };
}

/** @param url the API's address (`https://api.anthropic.com`, with or without `/v1`), or the full endpoint. */
export function anthropicEndpoint(url: string): string {
  const parsed = new URL(url);
  const path = parsed.pathname.replace(/\/+$/, '').replace(/(\/v1)?(\/messages)?$/, '');
  return `${parsed.origin}${path}/v1/messages${parsed.search}`;
}
