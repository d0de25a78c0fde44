/** `npm run fuzz -- --seconds 600 --seed 7` runs the fuzzer for longer than the tests do, or repeats one run. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const number = { type: 'string' };
const { values } = parseArgs({
  options: {
    seed: number,
    from: number,
    runs: number,
    seconds: { ...number, default: '60' },
    surface: { type: 'string' },
  },
});
const named = Object.entries(values).map(([name, value]) => [`FUZZ_${name.toUpperCase()}`, value]);
const { status } = spawnSync('vitest', ['run', '--config', 'test/vitest.config.ts', 'test/fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, ...Object.fromEntries(named) },
});
process.exitCode = status ?? 1;
