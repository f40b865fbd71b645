// Sessions driven by VS Code's own test client: node sessions.mjs FUSESCOPE
import { DebugClient } from '@vscode/debugadapter-testsupport';
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const fusescope = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'dap vscode '));

function program(name, lines) {
    const path = join(folder, name);
    writeFileSync(path, lines.join('\n') + '\n');
    return path;
}

const loop = program('loop.py', [
    'from mindspore import Tensor, ops',
    'x = Tensor([1.0, 2.0])',
    'for i in range(5):',
    '    y = x * float(i)',
    '    z = ops.exp(y)',
    'print("last", z)',
]);
const wrong = program('wrong.py', ['from mindspore import Tensor', 'a = Tensor([1.0])', 'raise ValueError("no")']);

const sessions = {
    async initialize(client) {
        const { body } = await client.initializeRequest();
        assert.equal(body.supportsStepBack, true);
        assert.equal(body.supportsConditionalBreakpoints, true);
        assert.ok(body.exceptionBreakpointFilters.some((f) => f.filter === 'nan'));
    },
    async runsToTheEnd(client) {
        await Promise.all([
            client.configurationSequence(),
            client.launch({ program: loop }),
            client.waitForEvent('terminated'),
        ]);
    },
    async stopsAtEntry(client) {
        await Promise.all([
            client.configurationSequence(),
            client.launch({ program: loop, stopOnEntry: true }),
            client.assertStoppedLocation('entry', { line: 1 }),
        ]);
    },
    async breakpointAndSteps(client) {
        await client.hitBreakpoint({ program: loop }, { path: loop, line: 5 });
        const stack = await client.stackTraceRequest({ threadId: 1 });
        const frameId = stack.body.stackFrames[0].id;
        const y = await client.evaluateRequest({ expression: 'y', frameId, context: 'hover' });
        assert.match(y.body.result, /^Float32\[2\] \[0, 0\]/);
        const scopes = await client.scopesRequest({ frameId });
        const variables = await client.variablesRequest({ variablesReference: scopes.body.scopes[0].variablesReference });
        assert.ok(variables.body.variables.some((v) => v.name === 'i' && v.value === '0'));
        await Promise.all([client.nextRequest({ threadId: 1 }), client.assertStoppedLocation('step', { line: 3 })]);
        await Promise.all([client.nextRequest({ threadId: 1 }), client.assertStoppedLocation('step', { line: 4 })]);
        await Promise.all([client.stepBackRequest({ threadId: 1 }), client.assertStoppedLocation('step', { line: 5 })]);
        await Promise.all([client.stepBackRequest({ threadId: 1 }), client.assertStoppedLocation('step', { line: 4 })]);
        await Promise.all([client.reverseContinueRequest({ threadId: 1 }), client.waitForEvent('stopped')]);
    },
    async conditionalBreakpoint(client) {
        await Promise.all([
            client.waitForEvent('initialized').then(() =>
                client.setBreakpointsRequest({ source: { path: loop }, breakpoints: [{ line: 5, condition: 'i == 3' }] })
            ).then((response) => {
                assert.equal(response.body.breakpoints[0].verified, true);
                return client.configurationDoneRequest();
            }),
            client.launch({ program: loop }),
            client.assertStoppedLocation('breakpoint', { line: 5 }),
        ]);
        const i = await client.evaluateRequest({ expression: 'i', frameId: 1 });
        assert.equal(i.body.result, '3');
    },
    async exception(client) {
        await Promise.all([
            client.waitForEvent('initialized')
                .then(() => client.setExceptionBreakpointsRequest({ filters: ['uncaught'] }))
                .then(() => client.configurationDoneRequest()),
            client.launch({ program: wrong }),
            client.assertStoppedLocation('exception', { line: 3 }),
        ]);
    },
    async output(client) {
        await Promise.all([
            client.configurationSequence(),
            client.launch({ program: loop }),
            client.assertOutput('stdout', 'last', 20000),
        ]);
    },
};

let faults = 0;
for (const [name, session] of Object.entries(sessions)) {
    const client = new DebugClient(fusescope, '--dap', 'fusescope');
    client.defaultTimeout = 20000;
    try {
        await client.start();
        await session(client);
        console.log('ok', name);
    } catch (error) {
        faults += 1;
        console.log('FAILED', name, error);
    }
    await client.stop().catch(() => undefined);
}
process.exit(faults ? 1 : 0);
