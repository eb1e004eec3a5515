import type { LlmDefinition } from '../llm/definition.ts';

/** Where a Realtime model is reached, and how it is asked to let one in. */
export interface RealtimeAddress {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Accepts OpenAI's base (`https://api.openai.com/v1`), an Azure resource (`https://NAME.openai.azure.com`), and the full
 * address (`…/realtime`) of either or of a server that speaks the same protocol; `https` and `wss` mean the same.
 */
export function realtimeAddress(definition: LlmDefinition, base: string): RealtimeAddress {
  const url = new URL(base);
  url.protocol = url.protocol === 'http:' || url.protocol === 'ws:' ? 'ws:' : 'wss:';
  const isAzure = AZURE.test(url.hostname);
  const path = url.pathname.replace(/\/+$/, '');
  const model = isAzure ? (definition.deploymentName ?? definition.modelName) : definition.modelName;
  // Azure's addresses before the release of the interface have a version, and name the deployment differently.
  const isPreview = isAzure && (definition.apiVersion ?? '') !== '';
  if (path.endsWith('/realtime')) url.pathname = path;
  else if (isAzure) url.pathname = isPreview ? '/openai/realtime' : '/openai/v1/realtime';
  else url.pathname = `${path}/realtime`;
  if (isPreview) url.searchParams.set('api-version', definition.apiVersion!);
  const name = isPreview ? 'deployment' : 'model';
  if (!url.searchParams.has(name)) url.searchParams.set(name, model);
  const { secret } = definition;
  return { url, headers: secret === null ? {} : keyHeader(secret, isAzure) };
}

function keyHeader(secret: string, isAzure: boolean): Readonly<Record<string, string>> {
  return isAzure ? { 'api-key': secret } : { authorization: `Bearer ${secret}` };
}

const AZURE = /(^|\.)(openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.com$/;
