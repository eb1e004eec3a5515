import { hasMcpServers } from '../../control/index.ts';
import { loadRooms } from '../../engine/index.ts';
import type { Foundation } from './foundation.ts';

/**
 * Loads the library of LiveKit rooms, which a customer may use at any time, once the service listens. That stops the
 * event loop for up to 300 ms: at its first use the media of all sessions would wait for it. Those of MCP servers have
 * a thread, which starts now if there are any; those of recognizers and embeddings are loaded where a setting names one.
 */
export async function loadLibraries({ storage, providers }: Foundation): Promise<void> {
  if (await hasMcpServers(storage.store).catch(() => false)) providers.mcp.start();
  // One that cannot be loaded is reported by whoever needs it.
  await loadRooms().catch(() => undefined);
}
