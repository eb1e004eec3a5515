import type { Place } from '../../actors/testing/hostile-values.ts';
import type { ApiRoutes } from './api-routes.ts';
import type { JsonSchema } from './openapi-document.ts';

/** Deeper ones repeat what stands above them. */
const MAX_PLACE_DEPTH = 5;

/** Every field that a schema knows, whichever of its alternatives it belongs to, and one that it does not know. */
export function placesOf(schema: JsonSchema, api: ApiRoutes): Place[] {
  const found = new Map<string, Place>();
  function walk(part: JsonSchema, place: Place): void {
    found.set(JSON.stringify(place), place);
    if (place.length >= MAX_PLACE_DEPTH) return;
    if (part.$ref !== undefined) walk(api.resolve(part.$ref), place);
    for (const choice of [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])]) walk(choice, place);
    for (const [name, field] of Object.entries(part.properties ?? {})) walk(field, [...place, name]);
    if (part.items !== undefined) walk(part.items, [...place, 0]);
  }
  walk(schema, []);
  return [...found.values(), ['unknownField']];
}
