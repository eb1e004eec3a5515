import { useState } from 'preact/hooks';
import { sentenceOf } from '../../api/client.ts';
import { createAvatar, deleteAvatar } from '../../api/routes.ts';
import type { Avatar } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import { useProblem } from '../../components/problems.tsx';
import { AvatarImage } from '../../components/avatar-image.tsx';

/** A face of the service or of the user. A new one is made from a photo at once. */
export function AvatarChoice({
  avatars,
  value,
  onChange,
  onAvatars,
}: {
  avatars: readonly Avatar[];
  value: string | null;
  onChange: (avatar: Avatar) => void;
  onAvatars: (avatars: readonly Avatar[]) => void;
}) {
  const [making, setMaking] = useState<{ state: 'idle' | 'busy' } | { state: 'failed'; message: string }>({
    state: 'idle',
  });
  const problem = useProblem('avatarId');
  const chosen = avatars.find(({ id }) => id === value);

  async function onPhoto(input: HTMLInputElement): Promise<void> {
    const photo = input.files?.[0];
    input.value = '';
    if (photo === undefined) return;
    setMaking({ state: 'busy' });
    try {
      const made = await createAvatar(nameOf(photo), photo);
      onAvatars([...avatars, made]);
      onChange(made);
      setMaking({ state: 'idle' });
    } catch (error) {
      setMaking({ state: 'failed', message: sentenceOf(error) });
    }
  }

  async function onDelete(avatar: Avatar): Promise<void> {
    if (
      !confirm(
        `Delete the face ${avatar.displayName}, its photo and everything made of it? Personas that have it need another one.`,
      )
    )
      return;
    try {
      await deleteAvatar(avatar.id);
      const left = avatars.filter(({ id }) => id !== avatar.id);
      onAvatars(left);
      if (left[0] !== undefined) onChange(left[0]);
    } catch (error) {
      setMaking({ state: 'failed', message: sentenceOf(error) });
    }
  }

  return (
    <fieldset class="field plain">
      <legend class="label">Face</legend>
      <div class="avatars">
        {avatars.map((avatar) => (
          <label key={avatar.id}>
            <input
              type="radio"
              name="avatar"
              value={avatar.id}
              checked={avatar.id === value}
              onChange={() => onChange(avatar)}
            />
            <AvatarImage avatar={avatar} name={avatar.displayName} />
            <span class="caption-line">{avatar.displayName}</span>
          </label>
        ))}
        <label class={making.state === 'busy' ? 'photo busy' : 'photo'}>
          <input
            type="file"
            accept="image/jpeg,image/png,image/webp"
            aria-label="From a photo"
            disabled={making.state === 'busy'}
            onChange={(event) => void onPhoto(event.currentTarget)}
          />
          <span class="image">
            <Icon name="plus" />
          </span>
          <span class="caption-line" role="status">
            {making.state === 'busy' ? 'Making the face…' : 'From a photo'}
          </span>
        </label>
      </div>
      {problem !== null && <p class="problem">{problem}</p>}
      {making.state === 'failed' && (
        <Notice bad>
          <span>{making.message}</span>
        </Notice>
      )}
      <span class="hint">
        A photo of one person who looks at the camera with the mouth closed becomes a face in about ten seconds. Ask the
        person first.{' '}
        {chosen?.createdByOrganizationId && (
          <button class="link" type="button" onClick={() => void onDelete(chosen)}>
            Delete {chosen.displayName}
          </button>
        )}
      </span>
    </fieldset>
  );
}

/** "grace-hopper.jpg" → "Grace hopper". */
function nameOf(photo: File): string {
  const name =
    photo.name
      .replace(/\.[^.]*$/, '')
      .replace(/[-_]+/g, ' ')
      .trim()
      .slice(0, 80) || 'My face';
  return name.charAt(0).toUpperCase() + name.slice(1);
}
