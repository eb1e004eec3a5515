/** Line icons of our own, 24×24, drawn in the color of the text. */
const PATHS = {
  talk: 'M4 12a8 8 0 0 1 8-8h1v8a8 8 0 0 1-8 8H4zM20 12a8 8 0 0 1-4 6.9',
  list: 'M5 7h14M5 12h14M5 17h9',
  gear: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2',
  mic: 'M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3',
  'mic-off': 'M9 6.5V6a3 3 0 0 1 6 0v5M9 11v1a3 3 0 0 0 4.5 2.6M5.5 11.5a6.5 6.5 0 0 0 10.3 5.3M12 18v3M4 4l16 16',
  hangup: 'M2.5 14c6-6 13-6 19 0l-2.3 3.2-4.4-1.5v-2.9c-1.9-.5-3.7-.5-5.6 0v2.9l-4.4 1.5z',
  stop: 'M7 7h10v10H7z',
  send: 'M5 12h13M12.5 6.5 18 12l-5.5 5.5',
  plus: 'M12 5v14M5 12h14',
  pencil: 'M5 19l1-4L16 5l3 3L9 18z',
  back: 'M11 6l-6 6 6 6M5 12h14',
  film: 'M4 5.5h16v13H4zM8 5.5v13M16 5.5v13M4 9.8h4M4 14.2h4M16 9.8h4M16 14.2h4',
  share: 'M12 15V4M8 7.5 12 4l4 3.5M6 11.5H5V20h14v-8.5h-1',
  cross: 'M7 7l10 10M17 7 7 17',
  alert: 'M12 4 3.5 19h17zM12 10v4M12 16.5v.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  tool: 'M14.5 6.5a4 4 0 0 1 5-1l-2.7 2.7.9 2.1 2.1.9 1-1a4 4 0 0 1-5.3 3.9L8 21.5 4.5 18l7.4-7.5a4 4 0 0 1 2.6-4z',
  chip: 'M7 7h10v10H7zM10 3.5V7M14 3.5V7M10 17v3.5M14 17v3.5M3.5 10H7M3.5 14H7M17 10h3.5M17 14h3.5',
  plug: 'M9 3.5V8M15 3.5V8M6.5 8h11v3a5.5 5.5 0 0 1-11 0zM12 16.5v4',
  voice: 'M4 10v4M8 7v10M12 4v16M16 7v10M20 10v4',
  book: 'M12 6.5C10 5 7 4.5 4 4.5v14c3 0 6 .5 8 2 2-1.5 5-2 8-2v-14c-3 0-6 .5-8 2zM12 6.5v14',
  person: 'M12 4.5a3.75 3.75 0 1 0 0 7.5 3.75 3.75 0 0 0 0-7.5zM4.5 20c.6-3.6 3.6-5.5 7.5-5.5s6.9 1.9 7.5 5.5',
  key: 'M8.5 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12.5 12H21v3.5M17 12v3',
  chart: 'M4 20h16M6.5 16.5v-5M12 16.5V6M17.5 16.5v-8',
  meeting: 'M4 6.5h11v11H4zM15 10.5l5-3v9l-5-3',
  play: 'M8 5.5v13l10.5-6.5z',
  copy: 'M9 9h10.5v10.5H9zM15 9V4.5H4.5V15H9',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  trash: 'M5 7h14M9.5 7V4.5h5V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  upload: 'M12 16V5M7 9.5 12 4.5l5 5M5 19.5h14',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 19.5h14',
  search: 'M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5',
  help: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9.7 9.7a2.3 2.3 0 1 1 3.3 2.2c-.7.3-1 .8-1 1.6M12 16.4v.1',
  keyboard: 'M3.5 7h17v10h-17zM7 10.5h.01M10.3 10.5h.01M13.6 10.5h.01M17 10.5h.01M8 14h8',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M4 13a9 9 0 0 1 9-9h1v11a9 9 0 0 1-9 9H4z" fill="var(--persona)" />
      <path d="M28 19a9 9 0 0 1-9 9h-1V17a9 9 0 0 1 9-9h1z" fill="var(--you)" />
    </svg>
  );
}
