import { hasMcpServers } from '../../control/index.ts';
import { loadRooms } from '../../engine/index.ts';
import type { Foundation } from './foundation.ts';

/**
 * Loads the libraries of LLMs and of LiveKit rooms that a customer may use at any time, once the service listens. Loading
 * one stops the event loop for 80 to 300 ms: at its first use the media of all sessions would wait for it. Those of MCP servers have a thread, which
 * starts now if there are any.
 */
export async function loadLibraries({ storage, providers }: Foundation): Promise<void> {
  if (await hasMcpServers(storage.store).catch(() => false)) providers.mcp.start();
  const libraries = [() => import('openai'), () => import('@anthropic-ai/sdk'), loadRooms];
  // One that cannot be loaded is reported by whoever needs it.
  for (const load of libraries) await load().catch(() => undefined);
}
