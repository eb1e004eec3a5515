/** A language model of an organization. */
export interface LlmRow {
  id: string;
  organization_id: string;
  display_name: string;
  description: string | null;
  llm_format: string;
  urls_json: string;
  model_name: string;
  secret_cipher: string;
  temperature: number | null;
  max_tokens: number | null;
  deployment_name: string | null;
  api_version: string | null;
  metadata_json: string | null;
  reasoning_effort: string | null;
  reasoning_format: string | null;
  speech_json: string | null;
  /** `LlmPrices`. */
  prices_json: string | null;
  is_zdr: number;
  created_at: string;
  updated_at: string | null;
}
