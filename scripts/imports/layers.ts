/**
 * The layers of control/, from the top down: a folder may import its own files and those of lower layers. Folders in
 * one line are one layer. A folder without a line of its own belongs to the layer of its parent folder.
 */
export const CONTROL_LAYERS: readonly (readonly string[])[] = [
  // What the composition root sees, and how the app is put together.
  ['control/index.ts'],
  ['control/app'],
  ['control/housekeeping'],
  // Resources that start sessions, or show what is known of them.
  ['control/api'],
  ['control/api/share-links'],
  ['control/api/widget'],
  ['control/api/meetings'],
  ['control/api/videos'],
  ['control/api/persona-tests'],
  ['control/api/sessions', 'control/api/files'],
  ['control/telemetry'],
  ['control/sessions/start'],
  // Where a session runs, and how it moves.
  ['control/cluster'],
  ['control/placement/engine-processes'],
  ['control/migration'],
  ['control/placement'],
  ['control/sessions/analytics'],
  ['control/sessions/records'],
  // Resources that a session is made of.
  ['control/api/personas'],
  ['control/api/mcp-servers'],
  ['control/api/tools'],
  ['control/api/knowledge'],
  ['control/api/llms'],
  ['control/api/avatars'],
  ['control/api/voices'],
  ['control/api/sign-ins'],
  ['control/api/organization', 'control/api/api-keys', 'control/api/users'],
  // What all of them are built on.
  ['control/costs'],
  ['control/http'],
  ['control/ports.ts'],
  ['control/catalogue'],
  ['control/jobs'],
  ['control/access'],
  ['control/events'],
  ['control/store'],
  ['control/settings'],
  ['control/errors'],
];

/** Limit of upward imports in control/. Before its folders were sorted into layers there were 69. */
export const MAX_UPWARD_IMPORTS = 5;

export interface Import {
  readonly from: string;
  readonly to: string;
}

/** @returns the rank of the layer that a file of control/ belongs to, 0 at the top; null: to none. */
export function layerOf(path: string, layers = CONTROL_LAYERS): number | null {
  let best: { readonly rank: number; readonly length: number } | null = null;
  for (const [rank, folders] of layers.entries())
    for (const folder of folders)
      if ((path === folder || path.startsWith(`${folder}/`)) && folder.length > (best?.length ?? 0))
        best = { rank, length: folder.length };
  return best?.rank ?? null;
}

/** @returns the imports from a lower layer to a higher one, and the files that belong to no layer. */
export function upwardImports(
  imports: readonly Import[],
  layers = CONTROL_LAYERS,
): { readonly upward: readonly Import[]; readonly unlisted: readonly string[] } {
  const unlisted = new Set<string>();
  const upward = imports.filter(({ from, to }) => {
    const [lower, higher] = [layerOf(from, layers), layerOf(to, layers)];
    if (lower === null) unlisted.add(from);
    if (higher === null) unlisted.add(to);
    return lower !== null && higher !== null && lower > higher;
  });
  return { upward, unlisted: [...unlisted].sort() };
}
