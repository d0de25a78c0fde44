/**
 * Replacements of npm and npx that install a package file without a registry: they unpack it, and link the packages of this
 * folder next to it.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { newFolder } from '../folders.ts';

const MODULES = join(import.meta.dirname, '..', '..', '..', 'node_modules');

const NPM = `#!/bin/sh
# npm install [--global --prefix FOLDER PACKAGE]
set -e
[ "$1" = install ] || { echo "npm $1 has no replacement" >&2; exit 1; }
package=$(sed -n 's|.*"gridpress": "file:\\(.*\\)".*|\\1|p' package.json 2>/dev/null || :)
folder=.
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix) folder=$2; shift ;;
    *.tgz) package=$1 ;;
  esac
  shift
done
mkdir -p "$folder/bin" "$folder/node_modules/gridpress"
tar -xzf "$package" -C "$folder/node_modules/gridpress" --strip-components 1
for module in ${MODULES}/*; do
  [ "$(basename "$module")" = gridpress ] || [ -e "$folder/node_modules/$(basename "$module")" ] || ln -s "$module" "$folder/node_modules"
done
printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "${process.execPath}" "$(realpath "$folder")/node_modules/gridpress/lib/cli.js" > "$folder/bin/gridpress"
chmod +x "$folder/bin/gridpress"
`;

const NPX = `#!/bin/sh
shift
exec "${process.execPath}" node_modules/gridpress/lib/cli.js "$@"
`;

/** A PATH on which the replacements come first. */
export function pathWithNpm(): string {
  const bin = newFolder();
  for (const [name, text] of [['npm', NPM] as const, ['npx', NPX] as const]) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  return [bin, process.env['PATH'] ?? ''].join(delimiter);
}
