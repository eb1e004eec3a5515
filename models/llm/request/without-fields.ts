import type { EndpointMemory } from './endpoint-memory.ts';
import type { Body } from './repair.ts';

/** @returns the body without the fields that the endpoint refused: `temperature`, or `generationConfig.temperature`. */
export function without(body: Body, memory: EndpointMemory): Body {
  const kept: Record<string, unknown> = { ...body };
  for (const change of memory.changes) {
    const [outer = '', inner] = change.startsWith('without:') ? change.slice('without:'.length).split('.') : [];
    if (inner === undefined) delete kept[outer];
    else if (typeof kept[outer] === 'object') {
      const nested: Record<string, unknown> = { ...(kept[outer] as object) };
      delete nested[inner];
      kept[outer] = nested;
    }
  }
  // Servers refuse them without it.
  if (kept['stream'] === undefined) delete kept['stream_options'];
  return kept;
}
