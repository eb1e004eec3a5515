/**
 * The floors of control/, from the top down: a folder may import those below it, and its own. A floor of several folders
 * has the same rank; a folder without a line of its own has that of the one around it.
 */
export const CONTROL_FLOORS: readonly (readonly string[])[] = [
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
  // What all of them stand on.
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

/** Imports of control/ that may run upward. Before its folders were put in order there were 69. */
export const UPWARD_AT_MOST = 5;

export interface Import {
  readonly from: string;
  readonly to: string;
}

/** @returns the rank of the floor that a file of control/ stands on, 0 at the top; null: it stands on none. */
export function floorOf(path: string, floors = CONTROL_FLOORS): number | null {
  let best: { readonly rank: number; readonly length: number } | null = null;
  for (const [rank, folders] of floors.entries())
    for (const folder of folders)
      if ((path === folder || path.startsWith(`${folder}/`)) && folder.length > (best?.length ?? 0))
        best = { rank, length: folder.length };
  return best?.rank ?? null;
}

/** @returns the imports that run from a lower floor to a higher one, and the files that stand on no floor. */
export function upwardImports(
  imports: readonly Import[],
  floors = CONTROL_FLOORS,
): { readonly upward: readonly Import[]; readonly homeless: readonly string[] } {
  const homeless = new Set<string>();
  const upward = imports.filter(({ from, to }) => {
    const [lower, higher] = [floorOf(from, floors), floorOf(to, floors)];
    if (lower === null) homeless.add(from);
    if (higher === null) homeless.add(to);
    return lower !== null && higher !== null && lower > higher;
  });
  return { upward, homeless: [...homeless].sort() };
}
