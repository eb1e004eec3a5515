import { z } from 'zod';
import { httpUrl } from '../option-values.ts';
import type { LanguageModel } from '../ports.ts';
import type { LlmDefinition } from './definition.ts';
import { geminiBody, signatureKey } from './gemini-body.ts';
import { endpointOptions, type LlmProvider, type LlmTools } from './llm-provider.ts';
import { mayBeEmpty, prepareRequest } from './request/prepare-request.ts';
import { without } from './request/without-fields.ts';
import { AnyFormReader } from './wire/any-form-reader.ts';
import { askEndpoint, type WireEndpoint } from './wire/ask-endpoint.ts';
import { GeminiReader } from './wire/gemini-reader.ts';

/** Most signatures to keep. A conversation window has fewer calls than this. */
const MAX_SIGNATURES = 200;
/** Most characters of a signature and its call. A call without its signature is sent with one that says so. */
const MAX_SIGNATURE_LENGTH = 32 * 1024;

const options = z.object({
  ...endpointOptions,
  baseUrl: httpUrl().default('https://generativelanguage.googleapis.com/v1beta').describe('Endpoint of the stock LLM.'),
  // The API requires a key.
  apiKey: endpointOptions.apiKey.unwrap().describe('Its key.'),
});

export const gemini: LlmProvider<typeof options> = {
  id: 'gemini',
  about: 'Gemini API of Google',
  options,
  open: (definition, url, tools) => createGemini(definition, url, tools),
};

/**
 * One endpoint of Gemini's `streamGenerateContent` with server-sent events
 * (https://ai.google.dev/api/generate-content). Not tried against the real service. Prompts are cached by default
 * (https://ai.google.dev/gemini-api/docs/caching). Google's own client would add 12 MB and packages for sign-in,
 * protobuf and sockets, which one streamed request does not need.
 */
export function createGemini(
  definition: LlmDefinition,
  url: string,
  { fetch, deadlines, memory }: LlmTools,
): LanguageModel {
  const signatures = new Map<string, string>();
  const wire: WireEndpoint = {
    provider: definition.name,
    form: 'gemini',
    url: geminiUrl(url, definition.modelName),
    headers: { 'x-goog-api-key': definition.secret ?? '' },
    secret: definition.secret,
    fetch,
    deadlines,
    memory,
    prepare(request) {
      const prepared = prepareRequest(request, memory, { schemas: 'usual', afterResult: 'anybody' });
      const offered = prepared.tools.map(({ name }) => name);
      const reader = new GeminiReader(offered, mayBeEmpty(request), (call, signature) =>
        remember(signatures, signatureKey(call), signature),
      );
      return {
        body: without(geminiBody(definition, prepared, signatures), memory),
        reader: new AnyFormReader('gemini', reader, offered, mayBeEmpty(request)),
        leftOut: prepared.leftOut,
      };
    },
  };
  return { name: definition.name, stream: (request, signal) => askEndpoint(wire, request, signal) };
}

function remember(signatures: Map<string, string>, key: string, signature: string): void {
  if (key.length + signature.length > MAX_SIGNATURE_LENGTH) return;
  signatures.set(key, signature);
  const oldest = signatures.keys().next().value;
  if (signatures.size > MAX_SIGNATURES && oldest !== undefined) signatures.delete(oldest);
}

/** Accepts the service's address, the API's base (`…/v1beta`), a model's address, or the full endpoint. */
export function geminiUrl(url: string, modelName: string): string {
  const target = new URL(url);
  const path = target.pathname.replace(/\/+$/, '') || '/v1beta';
  if (path.endsWith(':streamGenerateContent')) target.pathname = path;
  else if (path.includes('/models/')) target.pathname = `${path.replace(/:\w+$/, '')}:streamGenerateContent`;
  else
    target.pathname = `${path.replace(/\/models$/, '')}/models/${encodeURIComponent(modelName.replace(/^models\//, ''))}:streamGenerateContent`;
  target.searchParams.set('alt', 'sse');
  return target.href;
}
