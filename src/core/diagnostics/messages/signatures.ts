import { error, failure } from '../message.ts';

export const SIGNATURES_MESSAGES = {
  'ssh-keygen': failure<{ reason: string }>(
    (a) => `ssh-keygen cannot be run: ${a.reason}.`,
    'Signatures are made and checked with it: install OpenSSH.',
  ),
  'sign-failed': failure<{ key: string; reason: string }>(
    (a) => `Nothing could be signed with the key ${a.key}: ${a.reason}.`,
    'Name the file of a private key, or that of a public key whose private half an agent has.',
  ),
  'sign-passphrase': failure<{ key: string }>(
    (a) => `The key ${a.key} is protected by a passphrase, and the right one was not given.`,
    (a) => `Type it on a terminal, or load the key into ssh-agent first: ssh-add ${a.key}`,
  ),
  'no-allowed-signers': failure<{ file: string }>(
    (a) => `There is no file of allowed signers at ${a.file}.`,
    'Write one line for each: a name, a space, and the line of the public key (ssh-keygen(1), ALLOWED SIGNERS).',
  ),
  unsigned: error<Record<never, never>>(
    () => 'The manifest has no signature.',
    'Ask whoever published it for a signed one; it is signed by "gridpress build --sign KEY".',
  ),
  'signer-unknown': error<{ allowed: string }>(
    (a) => `The signature of the manifest is by none of the signers in ${a.allowed}, or of another manifest.`,
    'Do not trust it. If the publisher has a new key, get that from the publisher, and not from where the tree is.',
  ),
  'serial-old': error<{ serial: number | undefined; least: number }>(
    (a) =>
      a.serial === undefined
        ? 'The manifest has no serial: the tree was built by an older gridpress.'
        : `The serial of the manifest is ${a.serial}; the least that is accepted is ${a.least}.`,
    'It is an old tree: get the newest one.',
  ),
} as const;
