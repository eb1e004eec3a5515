/** Line icons of our own, 24×24, drawn in the color of the text. */
const PATHS = {
  talk: 'M4 12a8 8 0 0 1 8-8h1v8a8 8 0 0 1-8 8H4zM20 12a8 8 0 0 1-4 6.9',
  mic: 'M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3',
  'mic-off': 'M9 6.5V6a3 3 0 0 1 6 0v5M9 11v1a3 3 0 0 0 4.5 2.6M5.5 11.5a6.5 6.5 0 0 0 10.3 5.3M12 18v3M4 4l16 16',
  'hang-up': 'M2.5 14c6-6 13-6 19 0l-2.3 3.2-4.4-1.5v-2.9c-1.9-.5-3.7-.5-5.6 0v2.9l-4.4 1.5z',
  stop: 'M7 7h10v10H7z',
  send: 'M5 12h13M12.5 6.5 18 12l-5.5 5.5',
  captions: 'M4 6h16v12H4zM10 10.5a2 2 0 1 0 0 3M16.5 10.5a2 2 0 1 0 0 3',
  transcript: 'M5 5h14v10h-8l-4 4v-4H5zM8.5 9h7M8.5 12h4',
  minimize: 'M6 10l6 6 6-6',
  cross: 'M7 7l10 10M17 7 7 17',
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
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
