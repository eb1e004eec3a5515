import type { LlmDefinition } from '../../../engine/index.ts';
import type { Vault } from '../../access/vault.ts';
import type { StockLlm } from '../../catalogue/catalogue.ts';
import { HttpError } from '../../errors/http-error.ts';
import { storedLlmPrices } from '../../costs/price-schema.ts';
import type { LlmRow } from '../../store/tables.ts';
import { STOCK_TIME } from '../voices/voice-rows.ts';
import { SPEECH_FORMAT, speechSettings, type SpeechSettings } from '../../../engine/providers.ts';
import type { LlmInput, LlmResponse } from './llm-schema.ts';

export function stockLlmOf(llm: StockLlm): LlmResponse {
  return {
    id: llm.id,
    displayName: llm.displayName,
    description: llm.description,
    llmFormat: llm.llmFormat,
    urls: [],
    modelName: llm.modelName,
    temperature: null,
    maxTokens: null,
    deploymentName: null,
    apiVersion: null,
    metadata: null,
    displayTags: llm.deprecated ? [...llm.displayTags, 'deprecated'] : [...llm.displayTags],
    isDefault: true,
    isGlobal: true,
    isZdr: llm.isZdr,
    reasoningEffort: null,
    reasoningFormat: null,
    speech: null,
    prices: null,
    createdByOrganizationId: null,
    createdAt: STOCK_TIME,
    updatedAt: null,
  };
}

/** As clients see it: without the secret. */
export function llmOf(vault: Vault, row: LlmRow): LlmResponse {
  return {
    id: row.id,
    displayName: row.display_name,
    description: row.description,
    llmFormat: row.llm_format,
    urls: JSON.parse(row.urls_json),
    modelName: row.model_name,
    temperature: row.temperature,
    maxTokens: row.max_tokens,
    deploymentName: row.deployment_name,
    apiVersion: row.api_version,
    metadata: row.metadata_json === null ? null : JSON.parse(row.metadata_json),
    displayTags: [],
    isDefault: false,
    isGlobal: false,
    isZdr: row.is_zdr === 1,
    reasoningEffort: row.reasoning_effort,
    reasoningFormat: row.reasoning_format,
    speech: row.llm_format === SPEECH_FORMAT ? speechSettings.parse(speechOf(row) ?? {}) : null,
    prices: row.prices_json === null ? null : storedLlmPrices(row.prices_json),
    createdByOrganizationId: row.organization_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(secretProblem(vault, row) !== null && { unreadable: true }),
  };
}

/** @returns why the stored secret cannot be used, or null. */
export function secretProblem(vault: Vault, row: LlmRow): string | null {
  return vault.opens(row.secret_cipher, row.id)
    ? null
    : `The secret of the LLM ${row.id} cannot be opened: the master key has changed, or it is damaged. Save the secret again.`;
}

/** As the engine calls it: with the secret in the clear. @throws HttpError 409 when it cannot be opened. */
export function customLlm(vault: Vault, row: LlmRow): LlmDefinition {
  const problem = secretProblem(vault, row);
  if (problem !== null) throw new HttpError('unreadableSecret', { message: problem });
  return {
    name: row.display_name,
    format: row.llm_format,
    urls: JSON.parse(row.urls_json),
    modelName: row.model_name,
    secret: vault.open(row.secret_cipher, row.id),
    temperature: row.temperature,
    maxTokens: row.max_tokens,
    deploymentName: row.deployment_name,
    apiVersion: row.api_version,
    reasoningEffort: row.reasoning_effort as LlmDefinition['reasoningEffort'],
    reasoningFormat: row.reasoning_format as LlmDefinition['reasoningFormat'],
    speech: speechOf(row),
  };
}

function speechOf(row: LlmRow): Partial<SpeechSettings> | null {
  return row.speech_json === null ? null : (JSON.parse(row.speech_json) as Partial<SpeechSettings>);
}

/** @returns the row with the keys that are present in the input changed; the secret is closed for this row. */
export function withLlmInput(vault: Vault, row: LlmRow, input: LlmInput, at: string): LlmRow {
  const kept = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);
  const urls = input.url === undefined ? input.urls : [{ url: input.url }];
  return {
    ...row,
    display_name: input.displayName ?? row.display_name,
    description: kept(input.description, row.description),
    llm_format: input.llmFormat ?? row.llm_format,
    urls_json: urls === undefined ? row.urls_json : JSON.stringify(urls),
    model_name: input.modelName ?? row.model_name,
    secret_cipher: input.secret === undefined ? row.secret_cipher : vault.close(input.secret, row.id),
    temperature: kept(input.temperature, row.temperature),
    max_tokens: kept(input.maxTokens, row.max_tokens),
    deployment_name: kept(input.deploymentName, row.deployment_name),
    api_version: kept(input.apiVersion, row.api_version),
    metadata_json: input.metadata === undefined ? row.metadata_json : JSON.stringify(input.metadata),
    reasoning_effort: kept(input.reasoningEffort, row.reasoning_effort),
    reasoning_format: kept(input.reasoningFormat, row.reasoning_format),
    prices_json: input.prices === undefined ? row.prices_json : jsonOrNull(input.prices),
    speech_json: input.speech === undefined ? row.speech_json : jsonOrNull(input.speech),
    is_zdr: input.isZdr === undefined ? row.is_zdr : Number(input.isZdr),
    updated_at: at,
  };
}

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
