import { type Detail, detail, invalid } from '../../errors/http-error.ts';
import { detailsOf } from '../../http/validation-details.ts';
import { isSystemAction } from '../../../actors/tools/system-tools.ts';
import {
  CONFIGS,
  type RagConfig,
  type SystemConfig,
  type ToolConfig,
  type ToolType,
  type WebhookConfig,
} from './tool-schema.ts';
import type { ControlPorts } from '../../ports.ts';
import type { References } from '../../catalogue/references.ts';

/** What is taken of the service here. */
interface ToolConfigParts {
  readonly ports: Pick<ControlPorts, 'publicUrls'>;
  readonly references: References;
}

/**
 * Checks the configuration of a tool against its type.
 * @param wanted.stored what the tool has now: required fields that the request omits are taken from it.
 * @throws HttpError 400.
 */
export async function checkConfig(
  control: ToolConfigParts,
  organizationId: string,
  wanted: {
    name: string;
    type: ToolType;
    config: Record<string, unknown> | undefined;
    stored?: ToolConfig | undefined;
  },
): Promise<ToolConfig> {
  if (wanted.config === undefined && wanted.type !== 'SYSTEM')
    throw invalid([detail('config', `is required for tools of type ${wanted.type}`)]);
  const kept = requiredOf(wanted.type, wanted.stored);
  const result = CONFIGS[wanted.type].safeParse({ ...kept, ...wanted.config });
  if (!result.success)
    throw invalid(
      detailsOf(result.error, wanted.config).map((problem) => ({
        ...problem,
        path: problem.path === '' ? 'config' : `config.${problem.path}`,
      })),
    );
  const problems = await problemsWith(control, organizationId, wanted.name, wanted.type, result.data);
  if (problems.length > 0) throw invalid(problems);
  return result.data;
}

function requiredOf(type: ToolType, stored: ToolConfig | undefined): Record<string, unknown> {
  if (stored === undefined) return {};
  if (type === 'SERVER_WEBHOOK') {
    const { url, method } = stored as WebhookConfig;
    return { url, method };
  }
  if (type === 'SERVER_RAG') return { documentFolderIds: (stored as RagConfig).documentFolderIds };
  return {};
}

async function problemsWith(
  { references, ports }: ToolConfigParts,
  organizationId: string,
  name: string,
  type: ToolType,
  config: ToolConfig,
): Promise<Detail[]> {
  if (type === 'SYSTEM' && (config as SystemConfig).action === undefined && !isSystemAction(name)) {
    return [detail('config.action', 'is required unless the name is that of a system action')];
  }
  if (type === 'SERVER_WEBHOOK') {
    const problem = await ports.publicUrls.problemWith((config as WebhookConfig).url);
    return problem === null ? [] : [detail('config.url', problem)];
  }
  if (type === 'SERVER_RAG') {
    const ids = (config as RagConfig).documentFolderIds;
    const found = await references.groups(organizationId, ids);
    const missing = ids.map((id, index) => ({ id, index })).filter(({ id }) => !found.has(id));
    return Promise.all(
      missing.map(({ id, index }) =>
        references.explain(organizationId, `config.documentFolderIds.${index}`, 'knowledge group', id),
      ),
    );
  }
  return [];
}
