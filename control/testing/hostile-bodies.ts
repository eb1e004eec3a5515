import * as fc from 'fast-check';
import { withHostileValue, type HostileValue } from '../../actors/testing/hostile-values.ts';
import type { ApiRoutes } from './api-routes.ts';
import { fittingValues } from './fitting-values.ts';
import { placesOf } from './places.ts';

export interface HostileBody {
  /** Where it went and what it was. A counterexample of a megabyte tells nothing. */
  readonly named: { readonly where: string; readonly what: string };
  /** A function, so that it is not printed. */
  request(): { readonly method: string; readonly path: string; readonly body: string };
}

/** Bodies of every route that fit its schema, except for one bad value in one field. */
export function hostileBodies(
  api: ApiRoutes,
  values: readonly HostileValue[],
  ids: { readonly persona: string; readonly all: readonly string[] },
): fc.Arbitrary<HostileBody> {
  const fields = new Map(
    api.routes.flatMap(({ method, path, body }) =>
      body === null
        ? []
        : placesOf(body, api).map(
            (place) => [`${method} ${path} ${place.join('.')}`, { method, path, schema: body, place }] as const,
          ),
    ),
  );
  return fc.constantFrom(...fields.keys()).chain((where) => {
    const { method, path, schema, place } = fields.get(where)!;
    const fitting = fittingValues(schema, { resolve: api.resolve, ids: ids.all, noise: 0 });
    return fc.tuple(fc.constantFrom(...values), fitting).map(([value, body]) => ({
      named: { where, what: value.name },
      request: () => ({
        method,
        path: path.replaceAll(/\{\w+\}/g, ids.persona),
        body: withHostileValue(body, place, value),
      }),
    }));
  });
}
