import { detail, invalid } from '../../errors/http-error.ts';
import type { Store } from '../../store/open.ts';
import type { PersonaRow } from '../../store/tables.ts';
import { versionOf } from './version-rows.ts';
import type { VersionShares } from './version-shares-schema.ts';

/** @param path of the versions in the request. @throws HttpError 400 for a version that the persona does not have. */
export async function checkSharedVersions(
  store: Store,
  persona: PersonaRow,
  versions: VersionShares | null | undefined,
  path: string,
): Promise<void> {
  for (const [index, { version }] of (versions ?? []).entries())
    if (version !== persona.version && (await versionOf(store, persona, version)) === null)
      throw invalid([detail(`${path}.${index}.version`, `The persona has no version ${version}`)]);
}
