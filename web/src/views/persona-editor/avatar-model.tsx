import fields from '../../api/persona-fields.json';
import type { Avatar } from '../../api/types.ts';
import { SelectField } from '../../components/fields.tsx';
import type { PersonaDraft } from './persona-draft.ts';
import type { SectionProps } from './section.ts';

/** By which model the face is rendered: larger, or able to act. Most faces have one model, and nothing to choose. */
export function AvatarModel({
  draft,
  set,
  avatars,
}: Pick<SectionProps, 'draft' | 'set'> & { avatars: readonly Avatar[] }) {
  const versions = avatars.find(({ id }) => id === draft.avatarId)?.availableVersions ?? [];
  if (versions.length < 2 && draft.avatarModel === null) return null;
  return (
    <SelectField
      label="Avatar model"
      path="avatarModel"
      value={draft.avatarModel ?? ''}
      hint="A larger picture needs more of the server, and more of the user’s network."
      onChange={(model) => set({ avatarModel: model === '' ? null : (model as PersonaDraft['avatarModel']) })}
    >
      <option value="">The usual one of this face ({textOf(versions[0])})</option>
      {versions.map((version) => (
        <option key={version} value={version}>
          {version}: {textOf(version)}
        </option>
      ))}
    </SelectField>
  );
}

const modelOf = (id: string | undefined) => fields.avatarModels.find((model) => model.id === id);

function textOf(id: string | undefined): string {
  const model = modelOf(id);
  if (model === undefined) return id ?? 'any';
  return `${model.width} × ${model.height}${model.acts ? ', acts by directions' : ''}`;
}

/** Whether the face of the persona can act by directions. */
export function acts({ avatarId, avatarModel }: PersonaDraft, avatars: readonly Avatar[]): boolean {
  const usual = (avatars.find(({ id }) => id === avatarId) ?? avatars[0])?.availableVersions[0];
  return modelOf(avatarModel ?? usual)?.acts === true;
}
