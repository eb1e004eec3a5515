import type { Settings } from '../../control/index.ts';
import { LatencyTable, openMcpThread, type FoundModels, type Logger, type McpThread } from '../../engine/index.ts';
import { readStockLlms, type StockLlmEntry } from '../catalogue/stock-llms.ts';
import { localModels } from './local-models.ts';
import { openVoiceAccounts, type VoiceAccounts } from './voice-accounts.ts';

/** The models and accounts that a service has, and how soon they answer. */
export interface Providers {
  /** Neural models that are on this machine. */
  readonly local: FoundModels;
  /** The operator's further LLMs. */
  readonly listedLlms: readonly StockLlmEntry[];
  readonly latencies: LatencyTable;
  readonly voiceAccounts: VoiceAccounts;
  /** For sessions and for the API. */
  readonly mcp: McpThread;
}

export async function openProviders(
  closing: AsyncDisposableStack,
  settings: Settings,
  dataDir: string,
  log: Logger,
): Promise<Providers> {
  const local = await localModels(settings, log);
  const listedLlms = readStockLlms(settings.PARLEY_STOCK_LLMS ?? null, process.env);
  const voiceAccounts = await openVoiceAccounts(settings, dataDir, log);
  closing.defer(() => voiceAccounts.close());
  const mcp = openMcpThread({ allowedPrivateHosts: settings.PARLEY_ALLOWED_PRIVATE_HOSTS, log });
  closing.defer(() => mcp.close());
  return { local, listedLlms, latencies: new LatencyTable(), voiceAccounts, mcp };
}
