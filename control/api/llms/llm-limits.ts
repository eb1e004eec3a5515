import { LLM_PROVIDERS } from '../../../engine/providers.ts';
import { detail, invalid } from '../../errors/http-error.ts';
import type { LlmRow } from '../../store/tables.ts';

/** @throws HttpError 400 naming the fields that the format takes only in narrower ranges. */
export function checkLimits(row: LlmRow): void {
  const limits = LLM_PROVIDERS.find(({ id }) => id === row.llm_format)?.limits;
  const fields = {
    temperature: row.temperature,
    maxTokens: row.max_tokens,
    deploymentName: row.deployment_name,
    apiVersion: row.api_version,
    reasoningEffort: row.reasoning_effort,
    reasoningFormat: row.reasoning_format,
  };
  const problems = limits?.safeParse(fields).error?.issues ?? [];
  if (problems.length > 0) throw invalid(problems.map(({ path, message }) => detail(path.join('.'), message)));
}
