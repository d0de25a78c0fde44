import { error, failure, firstNames, joinNames, type NoArguments, suggestion, warning } from '../message.ts';
import { formatCount, plural } from '../words.ts';

export const REGISTRY_MESSAGES = {
  /** `parent` is the field that can contain an unknown field. */
  schema: error<{ field: string; problem: string; parent?: string }>(
    (a) => `${a.field === '' ? 'The file' : `"${a.field}"`}: ${a.problem}.`,
    (a) => {
      if (a.problem.startsWith('missing')) return 'Add the field.';
      if (a.parent !== undefined) return `Move the field below "${a.parent}".`;
      if (a.problem === 'no such field') return 'Remove the field, or correct its name.';
      return 'Correct the value. The schema of the file describes it.';
    },
  ),
  'kind-taken': error<{ what: 'kind' | 'collection'; name: string }>(
    ({ what, name }) => `The ${what} name "${name}" is already used or reserved.`,
    ({ what }) => `Choose another name for the ${what}.`,
  ),
  'base-path-taken': error<{ path: string; name: string }>(
    (a) => `The base path "${a.path}" starts with "${a.name}", a name that the API uses.`,
    'Choose another base path. URLs below this one would be ambiguous.',
  ),
  'base-url': error<{ url: string; spelled: string | undefined }>(
    (a) => `The base URL "${a.url}" is ${a.spelled === undefined ? 'invalid' : 'not written as browsers write it'}.`,
    (a) => (a.spelled === undefined ? 'Correct its host or port.' : `Write "${a.spelled}".`),
  ),
  'base-url-path': error<{ url: string; path: string; basePath: string }>(
    (a) => `The base URL "${a.url}" has the path "${a.path}", but base_path is "${a.basePath}".`,
    'Make both equal. The base path is the part of the base URL after the host.',
  ),
  'logo-invalid': error<NoArguments>(
    () => 'The logo is not an SVG image of shapes and texts.',
    'Use "<svg xmlns=...>...</svg>" without scripts, style sheets, other images, comments and entities.',
  ),
  'private-unknown': error<{ name: string; nearest: readonly string[] }>(
    (a) => `No resource has the field "${a.name}", which gridpress.yaml makes private. Nothing was written.`,
    (a) => suggestion(a.nearest, 'Correct the name, or remove it from the configuration.'),
  ),
  'private-fixed': error<{ name: string }>(
    (a) => `The field "${a.name}" cannot be private, because every resource needs it.`,
    'Remove it from the configuration.',
  ),
  'private-key-missing': failure<{ variable: string }>(
    (a) =>
      `The environment variable "${a.variable}" is not set. It must contain the key of private fields. Nothing was written.`,
    'Set it to the same key as in earlier builds, because another key changes every hash.',
  ),
  'private-key-short': failure<{ source: string; length: number; shortest: number }>(
    (a) =>
      `The key of private fields in "${a.source}" has ${plural(a.length, 'byte')}, but needs at least ${a.shortest}.`,
    'Create a key, for example with "openssl rand -hex 32".',
  ),
  'number-too-large': error<{ field: string; text: string }>(
    (a) => `"${a.field}" is ${a.text}, which a double-precision number cannot represent exactly.`,
    'Use a number within ±9007199254740991. If the field accepts strings, quote the number.',
  ),
  'uid-not-file-name': error<{ uid: string; expected: string; name: string | undefined }>(
    (a) => `The uid is "${a.uid}", but the path of the file requires "${a.expected}".`,
    (a) =>
      a.name === undefined
        ? `Write "uid: ${a.expected}".`
        : `If someone renamed it, change it back to ${a.name}. Otherwise write "uid: ${a.expected}".`,
  ),
  'file-name': error<{ uid: string; name: string }>(
    (a) => `The name of the file does not match the uid "${a.uid}".`,
    (a) => `Change it back to ${a.name}. For a name that people use, set node_name.`,
  ),
  'uuid-twice': error<{ uid: string; other: string }>(
    (a) => `Two files describe the node "${a.uid}". The other one is ${a.other}.`,
    'A UUID identifies one node. Remove the copied file, and create new nodes with "gridpress add node --like".',
  ),
  'configuration-host': error<{ name: string; nearest: string | undefined; known: readonly string[] }>(
    (a) => `Unknown host "${a.name}".`,
    (a) => suggestion(a.nearest === undefined ? [] : [a.nearest], `Known hosts: ${joinNames(a.known)}.`),
  ),
  'collection-empty': warning<{ field: string; nearest: readonly string[] }>(
    (a) => `The tree contains no value of "${a.field}", so it has no collections for this field.`,
    (a) => suggestion(a.nearest, 'List the fields with "gridpress find --fields".'),
  ),
  'collection-left-out': warning<{ field: string }>(
    (a) => `The table of nodes does not contain "${a.field}", so the tree has no collections for this field.`,
    'Choose a field whose values several nodes share. /nodes/table lists the omitted fields.',
  ),
  'left-out-absent': warning<{ field: string; nearest: readonly string[] }>(
    (a) => `No file of a node contains the field "${a.field}", so the table of nodes does not change without it.`,
    (a) => suggestion(a.nearest, 'Correct the name. The table contains no labels.'),
  ),
  'field-name': warning<{ field: string; suggestion: string; kind?: string }>(
    (a) =>
      a.kind === undefined
        ? `Unknown field "${a.field}". Did you mean "${a.suggestion}"?`
        : `Unknown field "${a.field}" for this kind. Did you mean "${a.suggestion}", a field of a ${a.kind}?`,
    'If so, correct the name. Unknown fields are kept unchanged.',
  ),
  'field-unknown': error<{ field: string; suggestion: string | undefined; names: readonly string[] }>(
    (a) =>
      `Unknown field ${a.field.includes('"') ? a.field : `"${a.field}"`} in ${plural(a.names.length, 'resource')}: ${firstNames(a.names)}.`,
    (a) =>
      `${a.suggestion === undefined ? '' : `Did you mean "${a.suggestion}"? `}A recorded revision cannot be changed. If this is a field of your own, add --allow-unknown.`,
  ),
  'uid-reserved': error<{ uid: string }>(
    (a) => `The uid "${a.uid}" is reserved, because it conflicts with a path or a file of the API.`,
    'Choose another uid. Not allowed: versions, snapshots, latest, index, device names, a leading "_" or ".", and the endings ".json", ".gz" and ".br".',
  ),
  'uid-characters': error<{ uid: string }>(
    (a) => `The uid "${a.uid}" contains characters that need escaping in a URL or a file name.`,
    'Use letters, digits, "-", "_" and "~". "." is allowed except at the start and the end.',
  ),
  'uid-length': error<{ uid: string }>(
    (a) => `The uid "${a.uid.slice(0, 20)}…" is longer than 128 characters.`,
    'Choose a shorter uid.',
  ),
  'uid-archive': error<{ uid: string; length: number }>(
    (a) =>
      `The uid "${a.uid.slice(0, 20)}${a.uid.length > 20 ? '…' : ''}" makes a file name in archives too long: ${a.length} bytes.`,
    'Shorten this uid or the uids above it. Tar files store at most 100 bytes for the end of a name and 155 for its folders.',
  ),
  'uid-not-a-uuid': error<{ uid: string }>(
    (a) => `The uid "${a.uid}" is not a lowercase UUID.`,
    'Give the node a UUID, or set "node_uid: name" in gridpress.yaml.',
  ),
  'uid-case-collision': error<{ uid: string; other: string }>(
    (a) => `The uids "${a.uid}" and "${a.other}" differ only by case.`,
    'Rename one of them. Many file systems cannot store both.',
  ),
  'uid-twice': error<{ uid: string; other: string; expected: string }>(
    (a) => `The uid "${a.uid}" occurs twice. The other file is ${a.other}.`,
    (a) => `Write "uid: ${a.expected}" as the path of the file requires, or remove one of the two files.`,
  ),
  'file-missing': error<{ holds: string }>(
    (a) => `The file that describes ${a.holds} is missing.`,
    (a) =>
      `Create the file. "gridpress init --example" creates an example.${a.holds === 'the grid' ? '' : ` If another git branch renamed or removed ${a.holds}, move or delete the files in this folder instead.`}`,
  ),
  'file-unexpected': error<{ expected: string }>(
    () => 'This file does not belong in the registry.',
    (a) => `Expected here: ${a.expected}. Move the file elsewhere, or rename it.`,
  ),
  'symlink-outside': error<{ target: string }>(
    (a) => `The symbolic link points outside the folder that is read, to ${a.target}.`,
    'Replace the link with the file itself.',
  ),
  'symlink-to-folder': error<{ target: string }>(
    (a) => `The symbolic link points to the folder ${a.target}. gridpress follows only links to files.`,
    'Replace the link with the folder itself.',
  ),
  'link-broken': error<NoArguments>(
    () => 'The symbolic link points to a missing file.',
    'Remove the link, or restore its target.',
  ),
  'edit-pending': warning<{ files: readonly string[]; canUndo: boolean }>(
    (a) => `A command was interrupted after it had changed ${firstNames(a.files)}, or it is still running.`,
    (a) =>
      a.canUndo
        ? 'If it was interrupted, run it again. The next command that edits the registry undoes these changes first.'
        : 'These files or the history were changed since. If "gridpress log" does not list the change, record or restore these files.',
  ),
  'edit-link': failure<{ file: string }>(
    (a) => `${a.file} is a symbolic link, is in a linked folder, or cannot be read.`,
    'Nothing was written. Replace the link with the file, or edit the linked file.',
  ),
  'edit-begun': failure<{ files: readonly string[]; total: number }>(
    (a) =>
      `A command was interrupted after it had changed ${formatCount(a.files.length)} of ${plural(a.total, 'file')}: ${firstNames(a.files)}.`,
    'Run it again. The next command that edits the registry undoes these changes first.',
  ),
  'edit-undone': error<NoArguments>(
    () => 'The change was not made. All files are as they were before.',
    'Correct the problems above, and run the command again.',
  ),
  'edit-not-recorded': error<{ file: string }>(
    (a) => `${a.file} contains your change, but the change is not recorded.`,
    'Correct the problems above, and record the change: gridpress record -m MESSAGE.',
  ),
  'edit-half': failure<{ files: readonly string[] }>(
    (a) =>
      `The change was stopped, and ${plural(a.files.length, 'file')} could not be restored: ${firstNames(a.files)}.`,
    'Correct the problems above. The next command that edits the registry restores the old files first.',
  ),
  'edit-stays': failure<{ files: readonly string[] }>(
    (a) =>
      `A command was interrupted after it had changed ${plural(a.files.length, 'file')}: ${firstNames(a.files)}. These files or the history were changed since, so the change was not undone.`,
    'Nothing was written. If "gridpress log" lists the change, nothing is left to do. Otherwise record or restore these files, and run this command again.',
  ),
  'edit-foreign': failure<{ journal: string }>(
    () => 'A command was interrupted while it changed files, and your cache folder does not contain its plan.',
    (a) =>
      `Nothing was written. If another user started the command, this user runs it again. Otherwise restore the files, for example with git, and delete the folder ${a.journal}.`,
  ),
  'edit-foreign-pending': warning<{ journal: string }>(
    () =>
      'A command was interrupted while it changed files, or it is still running. Your cache folder does not contain its plan.',
    (a) =>
      `If another user started the command and it was interrupted, this user runs it again. Otherwise restore the files, for example with git, and delete the folder ${a.journal}.`,
  ),
  'not-a-file': error<NoArguments>(
    () => 'A folder, a pipe or a device is in the place of a file.',
    'Replace it with a file, or remove it.',
  ),
  'cluster-count': error<{ site: string; found: readonly string[]; expected: string }>(
    (a) =>
      `The bare-metal site "${a.site}" has ${a.found.length === 0 ? 'no cluster' : `${plural(a.found.length, 'cluster')} (${joinNames(a.found)})`}. It must have exactly one, "${a.expected}".`,
    (a) => {
      if (a.found.length === 1)
        return `Rename the cluster to "${a.expected}", or correct cluster_uid in gridpress.yaml. "any" allows another cluster uid at each site.`;
      const verb = a.found.length === 0 ? 'Add a' : 'Keep one';
      const several = a.found.length > 1 ? ', write "cluster_uid: any" in gridpress.yaml' : '';
      return `${verb} cluster with the uid "${a.expected}"${several}, or change the site_class of the site.`;
    },
  ),
  'no-folder': failure<{ folder: string; reason: string }>(
    (a) => `Cannot change to the folder ${a.folder}: ${a.reason}.`,
    'Name the folder of a project with -C.',
  ),
  'no-registry': failure<{ folder: string; meant?: string | undefined }>(
    (a) => `There is no registry at "${a.folder}".`,
    (a) =>
      suggestion(
        a.meant === undefined ? [] : [a.meant],
        'Name one with --registry, or create one with "gridpress init" or "gridpress import".',
      ),
  ),
  'no-configuration': failure<{ file: string }>(
    (a) => `There is no configuration at ${a.file}.`,
    'Create it with at least "cluster_uid: NAME", or name another file with --config.',
  ),
} as const;

export const TEXT_MESSAGES = {
  'not-utf8': error<NoArguments>(() => 'The file is not valid UTF-8.', 'Save it as UTF-8.'),
  'yaml-nul': error<NoArguments>(
    () => 'The file contains a NUL character.',
    'Remove the character. YAML files are text.',
  ),
  'yaml-half-character': error<NoArguments>(
    () => 'The text escapes half of a character (a lone surrogate).',
    'Write the character itself, or remove the escape.',
  ),
  'yaml-syntax': error<{ reason: string }>(
    (a) => `Invalid YAML: ${a.reason}.`,
    'Correct the syntax at the mark, or just before it.',
  ),
  'yaml-duplicate-key': error<{ key: string }>(
    (a) => `The key "${a.key}" occurs twice in one mapping.`,
    'Keep one of them.',
  ),
  'yaml-conflict': error<NoArguments>(
    () => 'The file contains a merge conflict of git.',
    'Keep the right lines, and remove the lines that begin with <<<<<<<, ======= or >>>>>>>.',
  ),
  'yaml-several-documents': error<NoArguments>(
    () => 'The file contains more than one YAML document.',
    'Keep one document: remove the "---" and everything after it.',
  ),
  'yaml-tag': error<{ tag: string }>(
    (a) => `The tag "${a.tag}" is not supported.`,
    'Remove the tag. Values are strings, numbers, true, false and null. Quote a value that must be a string.',
  ),
  'yaml-alias-bomb': error<NoArguments>(
    () => 'The aliases in the file expand to too many values.',
    'Write the values out instead of using aliases.',
  ),
  'yaml-too-deep': error<NoArguments>(() => 'The values in the file are nested too deeply.', 'Reduce the nesting.'),
  'yaml-too-large': error<{ most: number }>(
    (a) => `The file has more than ${formatCount(a.most)} characters, and may contain anchors, tags or merge keys.`,
    'Remove anchors, tags and merge keys. Quote values that begin like one of them.',
  ),
  'yaml-merge-key': error<NoArguments>(
    () => 'The merge key "<<" is not supported. YAML 1.2 does not have merge keys.',
    'Write the merged fields out.',
  ),
  'yaml-not-a-mapping': error<NoArguments>(
    () => 'The file is not a mapping of fields to values.',
    'Write one "field: value" on each line.',
  ),
  'yaml-complex-key': error<NoArguments>(() => 'A key is not a plain scalar.', 'Use strings as keys.'),
} as const;
