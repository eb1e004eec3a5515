import { useState } from 'preact/hooks';
import type { Avatar } from '../api/types.ts';

/** An avatar's image, or initials where there is none. Decorative: the name stands beside it. */
export function AvatarImage({
  avatar,
  name,
  waiting = false,
}: {
  avatar: Avatar | null;
  name: string;
  waiting?: boolean;
}) {
  const [broken, setBroken] = useState<string | null>(null);
  const url = avatar?.landscapeImageUrl ?? avatar?.imageUrl ?? null;
  if (url === null || url === '' || url === broken)
    return (
      <div class="image initials" aria-hidden="true">
        {initials(name)}
      </div>
    );
  return (
    <img class={waiting ? 'image waiting' : 'image'} src={url} alt="" loading="lazy" onError={() => setBroken(url)} />
  );
}

function initials(name: string): string {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join('');
}
