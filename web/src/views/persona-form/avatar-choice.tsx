import type { Avatar } from '../../api/types.ts';
import { Picture } from '../../components/picture.tsx';

export function AvatarChoice({ avatars, value, onChange }: { avatars: readonly Avatar[]; value: string; onChange: (id: string) => void }) {
  return (
    <fieldset class="field" style={{ border: 0, padding: 0, margin: 0 }}>
      <legend class="label" style={{ fontWeight: 550, fontSize: '0.925rem', marginBottom: '0.5rem' }}>Face</legend>
      <div class="avatars">
        {avatars.map((avatar) => (
          <label key={avatar.id}>
            <input type="radio" name="avatar" value={avatar.id} checked={avatar.id === value} onChange={() => onChange(avatar.id)} />
            <Picture avatar={avatar} name={avatar.displayName} />
            <span class="caption-line">{avatar.displayName}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
