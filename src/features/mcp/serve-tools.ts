import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { formatCount } from '../../core/diagnostics/words.ts';
import { parsedJson } from '../../core/model/json.ts';
import { concurrencyLimit } from '../../core/platform/concurrency-limit.ts';
import { zod } from '../../core/platform/modules.ts';
import { VERSION } from '../../system/files/package-version.ts';
import { codeOf } from '../../system/files/system-errors.ts';
import { originOf } from '../lock/node-source.ts';
import { withToolFixes } from './tool-fixes.ts';
import { type Call, tools } from './tools.ts';

const MCP_SDK = '@modelcontextprotocol/sdk@1.32.2';

/** The maximum length of a message, in bytes. */
const LONGEST_MESSAGE = 10 * 2 ** 20;
/** The maximum size of an answer, in bytes. A longer answer would not fit into the context of a model. */
const MOST_ANSWER_BYTES = 4_000_000;
const TIMEOUT_MS = 120_000;
/** The maximum number of simultaneous commands. Each process can need hundreds of megabytes of memory. */
const MOST_COMMANDS = 4;
/** The maximum number of characters in an argument. Linux accepts 128 KiB, and a character needs up to 3 bytes. */
const MOST_CHARACTERS = 40_000;
const PROGRAM = join(import.meta.dirname, '..', '..', 'cli.js');

export interface ServeToolsOptions {
  /** The place to read: a base URL, or the folder of a tree or a registry. */
  readonly from: string;
}

/** Serves requests until standard input ends. */
export async function serveTools({ from }: ServeToolsOptions): Promise<void> {
  const { Server, StdioServerTransport, types } = await sdk();
  const origin = originOf(from);
  const inTurn = concurrencyLimit(MOST_COMMANDS);
  const server = new Server({ name: 'gridpress', version: VERSION }, { capabilities: { tools: {} } });
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: tools().map(({ name, description, input }) => ({
      name,
      description,
      inputSchema: { ...zod().toJSONSchema(input, { io: 'input' }), type: 'object' as const },
      annotations: { readOnlyHint: true },
    })),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools().find(({ name }) => name === params.name);
    if (!tool) return answer(`There is no tool ${JSON.stringify(params.name)}.`, true);
    const input = tool.input.safeParse(params.arguments ?? {});
    if (!input.success) return answer(zod().prettifyError(input.error), true);
    return await inTurn(() => run(tool.callOf(input.data, origin), signal));
  });
  // The MCP library closes the connection after an overlong message, but not at the end of standard input.
  const closed = new Promise<boolean>((resolve) => {
    server.onclose = () => resolve(true);
    process.stdin.once('end', () => resolve(false));
  });
  await server.connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LONGEST_MESSAGE }));
  if (await closed) fail(finding('mcp-too-long', { most: LONGEST_MESSAGE }));
}

function answer(text: string, isError: boolean) {
  return { content: [{ type: 'text' as const, text }], isError };
}

/**
 * A call fails only if its command cannot run. Differences and changed nodes are normal answers. If the client cancels
 * the call, `signal` ends the command.
 */
async function run({ command, file }: Call, signal: AbortSignal) {
  const [name = '', ...rest] = command;
  if (command.some((text) => text.length > MOST_CHARACTERS || text.includes('\0')))
    return answer(
      `An argument contains a NUL character, or more than ${formatCount(MOST_CHARACTERS)} characters.`,
      true,
    );
  const folder = file === undefined ? undefined : mkdtempSync(join(tmpdir(), 'gridpress-mcp-'));
  try {
    const path = folder === undefined ? [] : [join(folder, 'lock.json')];
    for (const each of path) writeFileSync(each, file ?? '');
    const args = [PROGRAM, name, '--json', ...rest, ...path];
    return await new Promise<ReturnType<typeof answer>>((resolve) => {
      const limits = { maxBuffer: MOST_ANSWER_BYTES, timeout: TIMEOUT_MS, signal };
      // The assistant passed a text, so its path would mislead.
      const withoutFolder = (text: string) => (folder === undefined ? text : text.replaceAll(`${folder}${sep}`, ''));
      execFile(process.execPath, args, limits, (error, stdout, stderr) =>
        resolve(resultOf(error, withoutFolder(stdout), withoutFolder(stderr))),
      );
    });
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf(error: Error | null, stdout: string, stderr: string) {
  const code = error === null ? 0 : codeOf(error);
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return answer('The answer is too long. Ask for fewer nodes, fields or revisions.', true);
  if (parsedJson(stdout) === undefined) return answer(stderr.trim() || 'The command took too long.', true);
  return answer(withToolFixes(stdout.trim()), error !== null && Reflect.get(error, 'code') === 2);
}

async function sdk() {
  try {
    const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    return { Server, StdioServerTransport, types };
  } catch (error) {
    if (codeOf(error) === 'ERR_MODULE_NOT_FOUND') fail(finding('mcp-no-sdk', { install: MCP_SDK }));
    throw error;
  }
}
