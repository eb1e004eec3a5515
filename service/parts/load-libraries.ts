/**
 * Loads the libraries of LLMs and MCP servers that a customer may add at any time, once the service listens. Loading
 * one stops the event loop for 80 to 130 ms: at its first use the media of all sessions would wait for it.
 */
export async function loadLibraries(): Promise<void> {
  const libraries = [
    () => import('openai'),
    () => import('@anthropic-ai/sdk'),
    () => import('@modelcontextprotocol/client'),
  ];
  // One that cannot be loaded is reported by whoever needs it.
  for (const load of libraries) await load().catch(() => undefined);
}
