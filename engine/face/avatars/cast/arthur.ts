import type { AvatarSpec } from '../avatar-spec.ts';

export const arthur: AvatarSpec = {
  engineKey: 'stock-arthur',
  displayName: 'Arthur',
  variantName: 'Study',
  description: 'A man in his sixties with swept gray hair, round glasses and a charcoal blazer, by a window.',
  tags: ['man', 'senior', 'teacher', 'glasses'],
  skin: { base: '#e9b995', light: '#fbdcc2', shade: '#c28a68', deep: '#83503b', blush: '#d98872' },
  face: { cheek: 98, jaw: 84, chinWidth: 31, chinY: 151, neckWidth: 58, age: 0.85 },
  eyes: { iris: '#6f93ad', irisRim: '#2c4358', size: 0.98, tilt: -1.5, lashes: 0.12, lidColor: '#d2a184', crease: 0.9 },
  brows: { color: '#8f8882', thickness: 9, arch: 0.5 },
  nose: { width: 22.5, length: 1.06, bridge: 0.55 },
  mouth: { halfWidth: 38, fullness: 0.78, color: '#c27a6c', shade: '#95524a', gloss: 0.2 },
  hair: { style: 'gray-sweep', base: '#b9b6b2', shade: '#77736f', light: '#f4f2ee' },
  beard: null,
  outfit: { kind: 'blazer', base: '#4c4f55', shade: '#26282d', light: '#73777e', inner: '#a8c0d8' },
  glasses: { color: '#3b2a20', shape: 'round' },
  earrings: null,
  background: { kind: 'window', base: '#b49f84', light: '#efe3cf', accent: '#7fa06a' },
};
