import { useState } from 'preact/hooks';
import { createAvatar } from '../../api/routes.ts';
import type { Avatar } from '../../api/types.ts';
import { DeleteDialog, namesOf } from '../../components/delete-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { GroupField } from '../../components/group-field.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { useReadOnly } from '../../components/problems.tsx';
import { useWork } from '../../state/work.ts';
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
  const { work, run } = useWork();
  const isReadOnly = useReadOnly();
  const [deleting, setDeleting] = useState<Avatar | null>(null);
  const chosen = avatars.find(({ id }) => id === value);

  function onPhoto(photo: File): void {
    void run(async () => {
      const made = await createAvatar(nameOf(photo), photo);
      onAvatars([...avatars, made]);
      onChange(made);
    });
  }

  function onDeleted(avatar: Avatar): void {
    setDeleting(null);
    const left = avatars.filter(({ id }) => id !== avatar.id);
    onAvatars(left);
    if (left[0] !== undefined) onChange(left[0]);
  }

  return (
    <GroupField
      label="Face"
      path="avatarId"
      hint={
        isReadOnly ? undefined : (
          <PhotoHint own={chosen?.createdByOrganizationId ? chosen : null} onDelete={setDeleting} />
        )
      }
    >
      <div class="avatars">
        {avatars.map((avatar) => (
          <Face key={avatar.id} avatar={avatar} isChosen={avatar.id === value} onChoose={() => onChange(avatar)} />
        ))}
        {!isReadOnly && <FromPhoto isBusy={work.state === 'running'} onPhoto={onPhoto} />}
      </div>
      <FailedWork work={work} />
      {deleting !== null && (
        <DeleteFace
          face={deleting}
          faces={avatars}
          onClose={() => setDeleting(null)}
          onDeleted={() => onDeleted(deleting)}
        />
      )}
    </GroupField>
  );
}

function DeleteFace(props: { face: Avatar; faces: readonly Avatar[]; onClose: () => void; onDeleted: () => void }) {
  const { face, faces, onClose, onDeleted } = props;
  return (
    <DeleteDialog
      name={`the face ${face.displayName}`}
      path={`/v1/avatars/${face.id}?hard=true`}
      text="Its photo and everything made of it are deleted. This cannot be undone."
      replacements={async () => namesOf(faces, face.id)}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}

/** @param props.own the chosen face, if it is the organization's. */
function PhotoHint({ own, onDelete }: { own: Avatar | null; onDelete: (avatar: Avatar) => void }) {
  return (
    <>
      A photo of one person who looks at the camera with the mouth closed becomes a face in about ten seconds. Ask the
      person first.{' '}
      {own !== null && (
        <button class="link" type="button" onClick={() => onDelete(own)}>
          Delete {own.displayName}
        </button>
      )}
    </>
  );
}

function Face(props: { avatar: Avatar; isChosen: boolean; onChoose: () => void }) {
  const { id, displayName } = props.avatar;
  const isReadOnly = useReadOnly();
  return (
    <label>
      <input
        type="radio"
        name="avatar"
        value={id}
        disabled={isReadOnly}
        checked={props.isChosen}
        onChange={props.onChoose}
      />
      <AvatarImage avatar={props.avatar} name={displayName} />
      <span class="caption-line">{displayName}</span>
    </label>
  );
}

/** With endings: many systems do not know the types of photos from phones and cameras. */
const PHOTOS = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,.avif,.heic,.heif,.hif';

function FromPhoto({ isBusy, onPhoto }: { isBusy: boolean; onPhoto: (photo: File) => void }) {
  function onPick(input: HTMLInputElement): void {
    const photo = input.files?.[0];
    // The same file can be picked again.
    input.value = '';
    if (photo !== undefined) onPhoto(photo);
  }
  return (
    <label class={isBusy ? 'photo busy' : 'photo'}>
      <input
        type="file"
        accept={PHOTOS}
        aria-label="From a photo"
        disabled={isBusy}
        onChange={(event) => onPick(event.currentTarget)}
      />
      <span class="image">
        <Icon name="plus" />
      </span>
      <span class="caption-line" role="status">
        {isBusy ? 'Making the face…' : 'From a photo'}
      </span>
    </label>
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
