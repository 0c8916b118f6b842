/** A mount namespace in which a folder is read-only, which stops root too. */
export const readOnly = (folder: string): readonly string[] => [
  "unshare",
  "--mount",
  "sh",
  "-c",
  'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"',
  folder,
];
/** Why no such namespace can be made here; null where it can. */
export const noMounts = Bun.spawnSync([...readOnly("/tmp"), "true"]).success
  ? null
  : "no mount namespace can be made here";
