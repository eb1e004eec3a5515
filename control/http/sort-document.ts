/** As they stand in a list of routes: reading first, then making, changing and deleting. */
const METHODS = ['get', 'post', 'put', 'delete'];

interface Sorted {
  paths?: Record<string, object>;
  components?: { schemas?: Record<string, unknown> };
}

/** Sorts paths, methods and schemas: the order in which files are loaded means nothing. */
export function sortDocument<T extends object>(document: T): T {
  const { paths = {}, components = {}, ...rest } = document as Sorted;
  return {
    ...rest,
    components: { ...components, schemas: byName(components.schemas ?? {}) },
    paths: Object.fromEntries(
      Object.entries(byName(paths)).map(([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(operations).toSorted(([one], [other]) => METHODS.indexOf(one) - METHODS.indexOf(other)),
        ),
      ]),
    ),
  } as T;
}

/** By code units: the same order on every machine. */
function byName<V>(values: Readonly<Record<string, V>>): Record<string, V> {
  return Object.fromEntries(Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
